internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// Puts together what connections say, by the uplink that each of them leaves by.
struct TrafficTally: Sendable {
    private let time: MonotonicTime
    private let uplinks: TrafficUplinks
    private var byUplink: [TrafficUplinks.Key: TrafficEvidence] = [:]

    /// - Parameter time: When the kernel was asked.
    init(_ path: Path, at time: MonotonicTime) {
        self.init(TrafficUplinks(path), at: time)
    }

    init(_ uplinks: TrafficUplinks, at time: MonotonicTime) {
        self.uplinks = uplinks
        self.time = time
    }

    mutating func add(_ socket: TCPSocketMessage) {
        guard let key = uplinks.uplink(of: socket) else { return }
        var evidence = byUplink[key] ?? TrafficEvidence(interface: key.interface, family: key.family)
        evidence.unacknowledged += UInt64(socket.info?.unacknowledged ?? 0)
        evidence.lost += UInt64(socket.info?.lost ?? 0)
        if let since = socket.waitingSince(at: time) {
            evidence.waiting += 1
            evidence.waitingSince = max(since, evidence.waitingSince ?? since)
        } else {
            // What one that waits hears is no answer: the peer, whose own segments are not answered either, sends them again.
            evidence.heard = [evidence.heard, socket.heard(at: time)].compactMap(\.self).max()
        }
        byUplink[key] = evidence
    }

    /// In an order of their own, so that recordings of like things are alike.
    var evidence: [TrafficEvidence] {
        byUplink.values.sorted { ($0.interface, $0.family.rawValue) < ($1.interface, $1.family.rawValue) }
    }
}
