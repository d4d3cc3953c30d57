internal import Connectivity
internal import Echo
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import SystemPackage

/// A word of any kind from a host, for as few bytes as can be.
struct Toucher: Sendable {
    let loop: EventLoop
    let exchanges: Exchanges
    let ownRefusals: OwnRefusals
    let pinger: Pinger

    /// A connection that is waited for.
    private struct Attempt {
        let socket: ProbeSocket
        let port: UInt16
    }

    /// Where to connect to where no port is known: what hosts on the Internet mostly have open.
    private static let usualPorts: [UInt16] = [80, 443, 53]
    /// After so long without a word the next port is tried, too.
    private static let patience = Duration.milliseconds(250)

    /// Connects to a host, and resets the connection as soon as it stands; or asks for its echo, where that is what it is
    /// known by.
    func answer(to touch: Touch) async -> Answer {
        let interface = touch.isBound ? touch.host.way.interface : nil
        let address = touch.host.address
        if let interface, await exchanges.hasRoute(to: address, by: interface) != true { return .noRoute }
        if touch.isEcho, let answer = await echo(touch, by: interface) { return answer }
        let deadline = MonotonicTime.now.advanced(by: touch.timeout)
        var ports = (touch.port.map { [$0] } ?? Self.usualPorts)[...]
        var attempts: [Attempt] = []
        var exchange: OpenExchange?
        while let port = ports.popFirst() {
            let start = MonotonicTime.now
            do throws(Errno) {
                attempts.append(Attempt(socket: try Self.connect(to: address, port, by: interface), port: port))
            } catch {
                guard !attempts.isEmpty else { return error.isNoRoute ? .noRoute : .unsent }
                // What has left before may still be answered.
                ports = []
            }
            exchange = exchange ?? begun(touch, port, by: interface, at: start)
            let end = ports.isEmpty ? deadline : min(deadline, start.advanced(by: Self.patience))
            while !attempts.isEmpty, let (attempt, word) = await firstWord(attempts, until: end) {
                guard case .heard(_?) = word else { return answer(word, exchange) }
                exchange?.refuse()
                let isOwn = await isOwnRefusal(of: touch, attempt.port, by: interface)
                await exchanges.release(touch.id, areOwn: isOwn)
                guard isOwn else { return .expected }
                attempts.removeAll { $0.port == attempt.port }
                exchange = attempts.last.map { begun(touch, $0.port, by: interface, at: .now) }
            }
            guard MonotonicTime.now < deadline else { break }
        }
        // What this host itself refuses is no silence.
        exchange?.miss(attempts.isEmpty ? .void : .silent)
        return attempts.isEmpty ? .unsent : .nothing
    }

    /// Nil where this user may send no echo request.
    private func echo(_ touch: Touch, by interface: String?) async -> Answer? {
        let (address, start) = (touch.host.address, MonotonicTime.now)
        let exchange = OpenExchange(touch.id, address, interface, .icmp(address.family), of: exchanges)
        do throws(EchoError) {
            _ = try await pinger.echo(to: address, interface: interface, timeout: touch.timeout) { step in
                switch step {
                case .sent: exchange.begin(at: start)
                case .returned: exchange.hear()
                }
            }
            exchange.hear()
            return .expected
        } catch {
            exchange.miss(Miss(error))
            return switch error {
            case .notPermitted: nil
            case .unreachable(_, let errno) where !exchange.hasBegun: errno.isNoRoute ? .noRoute : .unsent
            case .timedOut, .unreachable: .nothing
            case .cancelled: .void
            case .interfaceRefused, .socket, .tooManyRequests: .unsent
            }
        }
    }

    private func begun(
        _ touch: Touch, _ port: UInt16, by interface: String?, at start: MonotonicTime
    ) -> OpenExchange {
        let exchange = OpenExchange(touch.id, touch.host.address, interface, .tcp(port: Int(port)), of: exchanges)
        exchange.begin(at: start)
        return exchange
    }

    private static func connect(
        to address: IPAddress, _ port: UInt16, by interface: String?
    ) throws(Errno) -> ProbeSocket {
        let socket = try ProbeSocket(connectingTo: address, port: port, by: interface)
        socket.resetWhenClosed()
        return socket
    }

    /// Waits for any of the connections; nil where none of them has anything to say by then.
    private func firstWord(_ attempts: [Attempt], until end: MonotonicTime) async -> (Attempt, TCPEnd)? {
        // An answer that came while connect(2) was still at it has not ended the connection.
        if let last = attempts.last, let told = TCPEnd.told(of: last.socket) { return (last, told) }
        switch await ReadinessWait(loop: loop).outcome(of: attempts.map(\.socket), .writable, until: end) {
        case .timedOut:
            for attempt in attempts { if let told = TCPEnd.told(of: attempt.socket) { return (attempt, told) } }
            return nil
        case .cancelled: return attempts.last.map { ($0, .missed(.void, .canceled)) }
        case .ready(let index): return (attempts[index], TCPEnd(of: attempts[index].socket))
        }
    }

    /// Whether it is a filter of this host's own that has refused in the host's name.
    private func isOwnRefusal(of touch: Touch, _ port: UInt16, by interface: String?) async -> Bool {
        guard !touch.host.way.isLoopback else { return false }
        return await ownRefusals.contain(touch.host.address, port: port, by: interface)
    }

    private func answer(_ end: TCPEnd, _ exchange: OpenExchange?) -> Answer {
        switch end {
        case .heard:
            exchange?.hear()
            return .expected
        case .missed(.void, _):
            exchange?.miss(.void)
            return .void
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
