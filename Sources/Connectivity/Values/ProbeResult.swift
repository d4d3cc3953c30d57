package import EventLoop
public import FoundationEssentials
public import NetworkAddress
internal import Reachability

public import enum RequestEngine.Phase

/// The outcome of one probe of one target.
public struct ProbeResult: Hashable, Sendable, Codable {
    /// The target's name: its URL, unless it was given one.
    public var target: String
    /// How it ended.
    public var outcome: Outcome
    /// What went wrong, in words; nil for a success.
    public var failure: String? = nil
    /// The same as a word of the closed list.
    public var reason: ConnectivityReason? = nil
    /// Where a portal wants a person to go.
    public var portal: String? = nil
    /// Which phase failed.
    public var failedPhase: Phase? = nil
    package var phaseNanoseconds: [Phase: UInt64] = [:]
    package var delayNanoseconds: UInt64? = nil
    package var durationNanoseconds: UInt64
    /// The status of HTTP's answer; nil where none came.
    public var statusCode: Int? = nil
    /// By how many seconds the time that the answer says it was made at is ahead of this host's; nil where it says none.
    package var dateOffset: Int64? = nil
    /// Where the connection was made to, or tried last: the proxy's address where there is one.
    public var remoteAddress: IPAddress? = nil
    /// What each address of the target's name did, where each was asked: the rest of this is then the one's that clients
    /// come to use.
    public var addresses: [AddressResult]? = nil
    /// How many addresses the name has, where they are too many to ask each.
    public var addressCount: Int? = nil
    /// The server's certificate, also where it was refused.
    public var certificate: CertificateFacts? = nil
    /// The interface the probe was bound to, if it was.
    public var interface: String? = nil
    /// The only family it was allowed, if it was.
    public var family: AddressFamily? = nil
    package var endMonotonic: MonotonicTime

    /// The names by which recordings have them.
    private enum CodingKeys: String, CodingKey {
        case target, outcome, failure, reason, portal, failedPhase, statusCode, remoteAddress, addresses, addressCount,
            certificate, interface, family
        case phaseNanoseconds = "phases"
        case delayNanoseconds = "delay"
        case durationNanoseconds = "duration"
        case dateOffset = "dated"
        case endMonotonic = "time"
    }

    /// How a probe can end.
    public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        /// The expected answer came.
        case success
        /// No answer came.
        case failure
        /// An answer came that is not the target's.
        case portal
        /// Nothing was asked: the target has no address of the family that was asked for, or this host may not ask it.
        case skipped
        /// The probe was given up before it ended.
        case cancelled
    }

    package init(target: String, outcome: Outcome, duration: UInt64, time: MonotonicTime) {
        self.target = target
        self.outcome = outcome
        durationNanoseconds = duration
        endMonotonic = time
    }

    /// Whether the transport connection was made, so that packets came back.
    package var wasConnected: Bool { failedPhase == .tls || failedPhase == .processing || failedPhase == .transfer }
}

extension ProbeResult {
    /// From the start of the probe to its end.
    public var duration: Duration { .nanoseconds(Int64(clamping: durationNanoseconds)) }

    /// How long each phase took that was entered.
    public var phases: [Phase: Duration] {
        phaseNanoseconds.mapValues { .nanoseconds(Int64(clamping: $0)) }
    }

    /// From when the probe was due to when it was sent: this host's own delay, no part of the duration.
    public var delay: Duration? { delayNanoseconds.map { .nanoseconds(Int64(clamping: $0)) } }

    /// When the probe ended.
    public var time: Date { Date(endMonotonic) }
}
