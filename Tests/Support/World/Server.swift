package import Evidence
internal import NetworkAddress

/// A host that is asked, as it really is.
package struct Server: Sendable {
    package var transport = Watched.Transport.plainHTTP
    /// Seconds there and back.
    package var latency: Double
    package var mood = Mood.well
    /// Which part of the connections it does not take in at the first try, because it is overloaded or limits them.
    package var loss = 0.0

    package enum Mood: Sendable {
        case well, silent, refuses, unexpected, redirects, expired, forged
        /// Connects, and large packets get lost.
        case connectsOnly
        case resets
        /// Its own network says that it cannot be reached.
        case unreachable
    }

    init(transport: Watched.Transport, latency: Double) {
        self.transport = transport
        self.latency = latency
    }
}

/// A name server, as it really is.
package struct NameServer: Sendable {
    package var latency: Double
    package var mood = Mood.well
    /// The line that it asks others by: it says SERVFAIL where that is dead.
    package var forwardsBy: Int?
    var messages = MessageLimit()
    /// Whether it drops what comes to other ports than its own.
    package var dropsOthers = false

    package enum Mood: Sendable {
        case well, silent, fails, refuses, denies, hijacks
        /// Its port is closed, which its kernel says as often as it may (net.ipv4.icmp_ratelimit).
        case closed
        case slow(Double)
        /// Of these names only.
        case failsFor(Set<String>), deniesFor(Set<String>)
    }
}
