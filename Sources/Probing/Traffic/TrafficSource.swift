package import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
package import Reachability

/// Asks the kernel what the host's own connections have heard. Synchronous: the answer is there when the question is out.
package struct TrafficSource: ~Copyable, Sendable {
    /// Opened with the first question: then it is asked on the loop's thread, in the loop's network namespace.
    private var socket: DiagnosisSocket?

    package init() {}

    /// Empty where the kernel cannot be asked, which says nothing.
    package mutating func evidence(on path: Path) -> [TrafficEvidence] {
        if socket == nil { socket = try? DiagnosisSocket() }
        var tally = TrafficTally(path, at: .now)
        for family in AddressFamily.allCases {
            guard let sum = try? socket?.foldTCPSockets(family, into: tally, { $0.add($1) }) else { continue }
            tally = sum
        }
        return tally.evidence
    }
}
