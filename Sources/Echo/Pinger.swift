public import EventLoop
import Glibc
public import NetworkAddress
import SystemPackage

/// Sends ICMP echo requests and takes the time of their replies, without a privilege where the kernel lets it
/// (`net.ipv4.ping_group_range`).
///
/// The requests of a family and an interface share one socket while any is on its way, and a few where they are hundreds. It is
/// closed when none is, so that the next ones carry another identifier: a firewall that holds on to an old one does no harm.
public actor Pinger {
    private struct Route: Hashable {
        let family: AddressFamily
        let interface: String?
        /// Which of the sockets for these.
        var number = 0
    }

    private struct Line {
        let socket: EchoSocket
        let watch: Watch
        var requests: [UInt16: Request] = [:]
        var next = UInt16.random(in: .min ... .max)
    }

    private struct Request {
        let address: IPAddress
        let token: UInt64
        let departure: MonotonicTime
        let departureOnWallClock: UInt64
        let timer: LoopTimer
        let step: @Sendable (EchoStep) -> Void
        let continuation: CheckedContinuation<Result<EchoReply, EchoError>, Never>
    }

    private static let burst = 64
    /// More than a burst's replies, and its errors beside.
    private static let arrivalsATurn = 256
    /// So many requests may wait for their hosts' link addresses in the smallest buffer that a kernel gives a socket
    /// (net.core.wmem_max, 208 KiB before Linux 6.18).
    private static let mostOfSocket = 384
    private static let mostSockets = 8

    private let loop: EventLoop
    private var lines: [Route: Line] = [:]

    public init(loop: EventLoop) {
        self.loop = loop
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Sends one request and waits for its reply. Cancelling the task ends it at once.
    ///
    /// - Parameters:
    ///   - interface: The request leaves by this interface (SO_BINDTODEVICE) or not at all; nil to leave by the route.
    ///   - timeout: How long the reply may take.
    public func echo(
        to address: IPAddress, interface: String? = nil, timeout: Duration = .seconds(3)
    ) async throws(EchoError) -> EchoReply {
        try await echo(to: address, interface: interface, timeout: timeout) { _ in }
    }

    /// The same, telling on the loop's thread that the request has left, and that the host itself has sent it back.
    package func echo(
        to address: IPAddress, interface: String? = nil, timeout: Duration, step: @escaping @Sendable (EchoStep) -> Void
    ) async throws(EchoError) -> EchoReply {
        let route = freeRoute(to: address.family, by: interface)
        let token = UInt64.random(in: .min ... .max)
        let result: Result<EchoReply, EchoError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(EchoError) {
                    guard !Task.isCancelled else { throw .cancelled }
                    try send(to: address, by: route, token: token, timeout: timeout, step, continuation)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            loop.schedule(after: .zero) { self.assumeIsolated { $0.finish(token, by: route, .failure(.cancelled)) } }
        }
        return try result.get()
    }

    // MARK: Requests

    /// The first of the sockets that has few requests on their way.
    private func freeRoute(to family: AddressFamily, by interface: String?) -> Route {
        var route = Route(family: family, interface: interface)
        while route.number < Self.mostSockets - 1, lines[route]?.requests.count ?? 0 >= Self.mostOfSocket {
            route.number += 1
        }
        return route
    }

    private func send(
        to address: IPAddress, by route: Route, token: UInt64, timeout: Duration,
        _ step: @escaping @Sendable (EchoStep) -> Void,
        _ continuation: CheckedContinuation<Result<EchoReply, EchoError>, Never>
    ) throws(EchoError) {
        var line = try line(for: route)
        guard line.requests.count <= Int(UInt16.max) else { throw .tooManyRequests }
        while line.requests[line.next] != nil { line.next &+= 1 }
        let sequence = line.next
        line.next &+= 1
        let packet = EchoPacket(sequence: sequence, token: token)
        let departure = MonotonicTime.now
        let departureOnWallClock = MonotonicTime.clock(CLOCK_REALTIME)
        do throws(EchoError) {
            try line.socket.send(packet, to: address)
        } catch {
            closeIfUnused(route)
            throw error
        }
        let timer = loop.schedule(after: timeout) { [weak self] in
            self?.assumeIsolated { $0.finish(sequence, by: route, .failure(.timedOut(address, after: timeout))) }
        }
        line.requests[sequence] = Request(
            address: address, token: token, departure: departure, departureOnWallClock: departureOnWallClock,
            timer: timer, step: step, continuation: continuation)
        lines[route] = line
        step(.sent)
        // A burst of requests is sent in one turn of the loop, and the socket holds a few hundred replies at most.
        if line.requests.count.isMultiple(of: Self.burst) { receive(by: route) }
    }

    private func finish(_ token: UInt64, by route: Route, _ result: Result<EchoReply, EchoError>) {
        guard let sequence = lines[route]?.requests.first(where: { $0.value.token == token })?.key else { return }
        finish(sequence, by: route, result)
    }

    private func finish(_ sequence: UInt16, by route: Route, _ result: Result<EchoReply, EchoError>) {
        guard let request = lines[route]?.requests.removeValue(forKey: sequence) else { return }
        loop.cancel(request.timer)
        closeIfUnused(route)
        request.continuation.resume(returning: result)
    }

    // MARK: Sockets

    private func line(for route: Route) throws(EchoError) -> Line {
        if let line = lines[route] { return line }
        let socket = try EchoSocket(route.family, interface: route.interface)
        let watch: Watch
        do throws(EventLoopError) {
            watch = try loop.watch(socket.descriptor, for: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.receive(by: route) }
            }
        } catch {
            throw .socket(call: "epoll_ctl", .invalidArgument)
        }
        let line = Line(socket: socket, watch: watch)
        lines[route] = line
        return line
    }

    private func closeIfUnused(_ route: Route) {
        guard let line = lines[route], line.requests.isEmpty else { return }
        loop.end(line.watch)
        lines[route] = nil
    }

    private func receive(by route: Route) {
        guard let socket = lines[route]?.socket else { return }
        // A host that answers without end does not hold the loop up: the rest comes with its next turn.
        var left = Self.arrivalsATurn
        while left > 0, let arrival = socket.receiveError() {
            left -= 1
            settle(arrival, by: route) { request in
                if arrival.control.offender == request.address { request.step(.returned) }
                return .failure(.unreachable(request.address, Errno(rawValue: arrival.control.error ?? EHOSTUNREACH)))
            }
        }
        while left > 0, let arrival = socket.receiveReply() {
            left -= 1
            settle(arrival, by: route) { request in .success(Self.reply(to: request, arrival)) }
        }
    }

    private func settle(
        _ arrival: EchoSocket.Arrival, by route: Route, _ result: (Request) -> Result<EchoReply, EchoError>
    ) {
        guard let request = lines[route]?.requests[arrival.sequence],
            arrival.token.map({ $0 == request.token }) ?? (arrival.peer == request.address)
        else { return }
        finish(arrival.sequence, by: route, result(request))
    }

    private static func reply(to request: Request, _ arrival: EchoSocket.Arrival) -> EchoReply {
        EchoReply(
            address: request.address, roundTrip: roundTrip(of: request, arrival.control),
            hopLimit: arrival.control.hopLimit)
    }

    /// The kernel's own time of reception where it makes sense: it is on the wall clock, which may have been set meanwhile.
    private static func roundTrip(of request: Request, _ control: ControlMessages) -> Duration {
        let measured = request.departure.duration(to: .now)
        guard let reception = control.receptionTime, reception >= request.departureOnWallClock else { return measured }
        let stamped = Duration.nanoseconds(Int64(clamping: reception - request.departureOnWallClock))
        return min(stamped, measured)
    }
}
