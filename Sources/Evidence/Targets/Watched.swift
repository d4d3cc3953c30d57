package import NetworkAddress

/// What the model has to know of a target: not what is asked of it, but what an answer of it proves.
package struct Watched: Hashable, Sendable, Codable {
    package var role = Role.target
    /// What its answers come over.
    package var transport = Transport.plainHTTP
    /// Whether its right answer is known to the letter, so that another one proves a portal.
    package var hasKnownAnswer = false
    /// The name that is looked up for it; nil where it is known by its address.
    package var name: String?
    /// Its addresses, where it has no name, or where it is known to be before its name is looked up.
    package var addresses: [IPAddress] = []
    package var interval: Duration
    package var timeout: Duration
    /// How many misses in a row it takes to be down.
    package var fall: Int
    /// How many successes in a row it takes to be up again.
    package var rise = 1
    package var weight = 1
    /// The part of each wait that is left to chance; nil for the settings' own.
    package var jitter: Double?

    package enum Role: Hashable, Sendable, Codable {
        case target
        /// Says something about the way.
        case reference
        /// The same, and is asked only where no other host can tell.
        case witness
    }

    package enum Transport: Hashable, Sendable, Codable {
        case plainHTTP
        case secure
        case other
    }

    package init(
        role: Role = .target, name: String? = nil, addresses: [IPAddress] = [], interval: Duration = .seconds(60),
        timeout: Duration = .seconds(3), fall: Int = 2
    ) {
        self.role = role
        self.name = name
        self.addresses = addresses
        self.interval = interval
        self.timeout = timeout
        self.fall = fall
    }
}
