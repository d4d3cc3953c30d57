public import NetworkAddress

internal import enum RequestEngine.Phase

/// What one address of a target's name did, where each is probed.
public struct AddressResult: Hashable, Sendable, Codable {
    public var address: IPAddress
    /// How the probe of it ended.
    public var outcome: ProbeResult.Outcome
    /// Why it is not a success.
    public var reason: ConnectivityReason? = nil
    /// The same in words.
    public var failure: String? = nil
    package var durationNanoseconds: UInt64
    package var connectNanoseconds: UInt64? = nil
    /// Whether a client that races them (RFC 8305) would have come to be connected to this one.
    public var isWinner = false

    /// How long it took in all.
    public var duration: Duration { .nanoseconds(Int64(clamping: durationNanoseconds)) }
    /// Until the connection stood; nil where none did.
    public var connect: Duration? { connectNanoseconds.map { .nanoseconds(Int64(clamping: $0)) } }

    /// The names by which recordings have them.
    private enum CodingKeys: String, CodingKey {
        case address, outcome, reason, failure, isWinner
        case durationNanoseconds = "duration"
        case connectNanoseconds = "connect"
    }

    package init(address: IPAddress, outcome: ProbeResult.Outcome, duration: UInt64) {
        self.address = address
        self.outcome = outcome
        durationNanoseconds = duration
    }
}

extension AddressResult {
    package init(_ address: IPAddress, _ result: ProbeResult) {
        self.init(address: address, outcome: result.outcome, duration: result.durationNanoseconds)
        reason = result.reason
        failure = result.failure
        let isConnected = result.outcome == .success || result.statusCode != nil || result.wasConnected
        connectNanoseconds = isConnected ? result.phaseNanoseconds[.connect] ?? result.durationNanoseconds : nil
    }

    package var isFailure: Bool { outcome == .failure || outcome == .portal }
}

extension [AddressResult] {
    /// How many of each family answer, which one is used, and what is wrong with the others.
    package var summary: String {
        let counts = AddressFamily.allCases.reversed().compactMap { family -> String? in
            let own = filter { $0.address.family == family }
            guard !own.isEmpty else { return nil }
            return "\(family.words) \(own.count { !$0.isFailure }) of \(own.count)"
        }
        let used = first(where: \.isWinner).map { ["\($0.address) is used"] } ?? []
        let faults = filter(\.isFailure).map { "\($0.address): \($0.reason?.rawValue ?? "fails")" }
        return (["answering: \(counts.joined(separator: ", "))"] + used + faults).joined(separator: "; ")
    }
}

extension AddressFamily {
    package var words: String { self == .ipv4 ? "IPv4" : "IPv6" }
}
