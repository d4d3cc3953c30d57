internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import SystemPackage

/// A word of any kind from a host, for as few bytes as can be.
extension Prober {
    /// Where to connect to where no port is known: what hosts on the Internet mostly have open.
    private static let usualPorts: [UInt16] = [80, 443, 53]
    /// After so long without a word the next port is tried, too.
    private static let patience = Duration.milliseconds(250)

    /// Connects to a host, and resets the connection as soon as it stands.
    func answer(to touch: Touch) async -> Answer {
        let interface = touch.isBound ? touch.host.way.interface : nil
        let address = touch.host.address
        if let interface {
            guard let index = index(of: interface), kernel.hasRoute(to: address, by: index) else { return .noRoute }
        }
        let deadline = MonotonicTime.now.advanced(by: touch.timeout)
        var ports = (touch.port.map { [$0] } ?? Self.usualPorts)[...]
        var sockets: [ProbeSocket] = []
        var departure: Departure?
        while let port = ports.popFirst() {
            let start = MonotonicTime.now
            do throws(Errno) {
                sockets.append(try Self.connect(to: address, port, by: interface))
            } catch {
                guard !sockets.isEmpty else { return error.isNoRoute ? .noRoute : .unsent }
                // What has left before may still be answered.
                ports = []
            }
            if departure == nil {
                departure = depart(touch.id, to: address, by: interface, .tcp(port: Int(port)), at: start)
            }
            let end = ports.isEmpty ? deadline : min(deadline, start.advanced(by: Self.patience))
            if let answer = await firstWord(sockets, departure, until: end) { return answer }
            guard MonotonicTime.now < deadline else { break }
        }
        tell(.silent, departure)
        return .nothing
    }

    private static func connect(
        to address: IPAddress, _ port: UInt16, by interface: String?
    ) throws(Errno) -> ProbeSocket {
        let socket = try ProbeSocket(address.family, type: .stream, protocol: 0)
        socket.resetWhenClosed()
        if let interface { try socket.bind(to: interface) }
        try socket.connect(to: address, port: port)
        return socket
    }

    /// Waits for any of the sockets; nil where none of them has anything to say by then.
    private func firstWord(
        _ sockets: [ProbeSocket], _ departure: Departure?, until end: MonotonicTime
    ) async -> Answer? {
        // An answer that came while connect(2) was still at it has not ended the connection.
        if let told = sockets.last.flatMap(TCPEnd.told) { return answer(told, departure) }
        switch await ReadinessWait(loop: loop).outcome(of: sockets, .writable, until: end) {
        case .timedOut: return sockets.compactMap(TCPEnd.told).first.map { answer($0, departure) }
        case .cancelled:
            tell(.void, departure)
            return .void
        case .ready(let index):
            return answer(TCPEnd(of: sockets[index]), departure)
        }
    }

    private func answer(_ end: TCPEnd, _ departure: Departure?) -> Answer {
        switch end {
        case .heard:
            tell(heard: departure)
            return .expected
        case .missed(let miss, _):
            tell(miss, departure)
            return .nothing
        }
    }
}

extension Errno {
    /// Whether the kernel says that nothing leads there.
    fileprivate var isNoRoute: Bool { [.networkUnreachable, .noRouteToHost].contains(self) }
}
