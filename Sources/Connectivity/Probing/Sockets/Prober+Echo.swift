internal import EventLoop
internal import Glibc
internal import NetworkAddress
internal import RequestCore
internal import SystemPackage

extension Prober {
    /// Sends one ICMP echo request over a ping socket (icmp(7)), which needs no privilege where
    /// `net.ipv4.ping_group_range` allows it. Where it does not, the target says nothing.
    func echo(_ probe: Probe, _ address: IPAddress, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        var result: ProbeResult
        do throws(Errno) {
            let socket = try ProbeSocket(
                address.family, type: .datagram,
                protocol: CInt(address.family == .ipv4 ? IPPROTO_ICMP : IPPROTO_ICMPV6))
            if let interface = probe.interface { try socket.bind(to: interface) }
            try socket.connect(to: address, port: 0)
            let request = EchoRequest(family: address.family)
            try socket.send(request.bytes)
            result = try await reply(to: request, over: socket, probe, until: start.advanced(by: timeout))
        } catch .permissionDenied {
            result = ProbeResult(probe, .skipped, RequestMetrics())
            result.failure = "ping sockets are forbidden here: allow them by net.ipv4.ping_group_range"
        } catch {
            result = .failed(probe, error, "no echo from \(address)")
        }
        result.remoteAddress = address
        result.phases[.processing] = start.duration(to: .now).nanoseconds
        return result
    }

    private func reply(
        to request: EchoRequest, over socket: ProbeSocket, _ probe: Probe, until deadline: MonotonicTime
    ) async throws(Errno) -> ProbeResult {
        while true {
            switch await ReadinessWait(loop: loop).outcome(socket, .readable, until: deadline) {
            case .cancelled: return ProbeResult(probe, .cancelled, RequestMetrics())
            case .timedOut: throw .timedOut
            case .ready: break
            }
            while let bytes = try socket.receive() {
                if request.isAnswered(by: bytes) { return ProbeResult(probe, .success, RequestMetrics()) }
            }
        }
    }
}

/// An echo request (RFC 792, RFC 4443). The kernel fills in checksum and identifier; the payload is ours to be known by.
struct EchoRequest {
    private let token = UInt64.random(in: 0 ... .max)
    private let family: AddressFamily

    init(family: AddressFamily) {
        self.family = family
    }

    var bytes: [UInt8] {
        [family == .ipv4 ? 8 : 128, 0, 0, 0, 0, 0, 0, 1] + payload
    }

    private var payload: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: token >> ($0 * 8)) }
    }

    /// Whether a packet is the reply to it: its type, no code, and our payload.
    func isAnswered(by packet: [UInt8]) -> Bool {
        packet.count == 16 && packet[0] == (family == .ipv4 ? 0 : 129) && packet[1] == 0
            && packet[8...].elementsEqual(payload)
    }
}
