internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import SystemPackage

/// A word of any kind from a host, for as few bytes as can be.
struct Toucher: Sendable {
    let loop: EventLoop
    let exchanges: Exchanges

    /// Where to connect to where no port is known: what hosts on the Internet mostly have open.
    private static let usualPorts: [UInt16] = [80, 443, 53]
    /// After so long without a word the next port is tried, too.
    private static let patience = Duration.milliseconds(250)

    /// Connects to a host, and resets the connection as soon as it stands.
    func answer(to touch: Touch) async -> Answer {
        let interface = touch.isBound ? touch.host.way.interface : nil
        let address = touch.host.address
        if let interface, await exchanges.hasRoute(to: address, by: interface) != true { return .noRoute }
        let deadline = MonotonicTime.now.advanced(by: touch.timeout)
        var ports = (touch.port.map { [$0] } ?? Self.usualPorts)[...]
        var sockets: [ProbeSocket] = []
        var exchange: OpenExchange?
        while let port = ports.popFirst() {
            let start = MonotonicTime.now
            do throws(Errno) {
                sockets.append(try Self.connect(to: address, port, by: interface))
            } catch {
                guard !sockets.isEmpty else { return error.isNoRoute ? .noRoute : .unsent }
                // What has left before may still be answered.
                ports = []
            }
            if exchange == nil {
                exchange = OpenExchange(touch.id, address, interface, .tcp(port: Int(port)), of: exchanges)
                exchange?.begin(at: start)
            }
            let end = ports.isEmpty ? deadline : min(deadline, start.advanced(by: Self.patience))
            if let answer = await firstWord(sockets, exchange, until: end) { return answer }
            guard MonotonicTime.now < deadline else { break }
        }
        exchange?.miss(.silent)
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
        _ sockets: [ProbeSocket], _ exchange: OpenExchange?, until end: MonotonicTime
    ) async -> Answer? {
        // An answer that came while connect(2) was still at it has not ended the connection.
        if let told = sockets.last.flatMap(TCPEnd.told) { return answer(told, exchange) }
        switch await ReadinessWait(loop: loop).outcome(of: sockets, .writable, until: end) {
        case .timedOut: return sockets.compactMap(TCPEnd.told).first.map { answer($0, exchange) }
        case .cancelled:
            exchange?.miss(.void)
            return .void
        case .ready(let index):
            return answer(TCPEnd(of: sockets[index]), exchange)
        }
    }

    private func answer(_ end: TCPEnd, _ exchange: OpenExchange?) -> Answer {
        switch end {
        case .heard:
            exchange?.hear()
            return .expected
        case .missed(let miss, _):
            exchange?.miss(miss)
            return .nothing
        }
    }
}

extension Errno {
    /// Whether the kernel says that nothing leads there.
    fileprivate var isNoRoute: Bool { [.networkUnreachable, .noRouteToHost].contains(self) }
}
