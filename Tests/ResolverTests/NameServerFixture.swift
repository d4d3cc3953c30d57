import EventLoop
import Glibc
import NetworkAddress
import Resolver
import TestSupport
import Testing

/// A dnsmasq that knows a few names, beside a port that swallows queries, both in a namespace of their own.
final class NameServerFixture: Sendable {
    let loop: EventLoop
    private let namespace: TestNamespace
    private let process: BackgroundProcess
    private let silentPort: SilentPort

    init() async throws {
        namespace = try TestNamespace()
        loop = try EventLoop(networkNamespace: namespace.descriptor)
        let server = try namespace.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=", "--port=5353",
            "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/",
            "--host-record=both.test,192.0.2.7,2001:db8::7", "--host-record=v4.test,192.0.2.4",
            "--txt-record=text.test,first second", "--mx-host=mail.test,mx.mail.test,10",
            "--srv-host=_http._tcp.test,web.test,8080,5,7", "--caa-record=caa.test,0,issue,ca.test")
        silentPort = try await SilentPort(loop: loop)
        process = server
        try await waitUntilAnswered()
    }

    func resolver(
        address: String = "127.0.0.1", port: UInt16 = 5353, interface: String? = nil, timeout: Duration = .seconds(10)
    ) -> Resolver {
        let servers = IPAddress(address).map { [NameServer($0, port: port)] } ?? []
        return Resolver(
            configuration: ResolverConfiguration(
                servers: servers, interface: interface, attemptTimeout: .milliseconds(1500), timeout: timeout),
            loop: loop)
    }

    /// Runs a Python program beside the server, once it has printed a line.
    func start(_ program: String) throws -> BackgroundProcess {
        let process = try namespace.start("python3", "-u", "-c", program)
        try #require(process.becomesReady { !process.output.isEmpty })
        return process
    }

    private func waitUntilAnswered() async throws {
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while true {
            do {
                _ = try await resolver().records(of: "v4.test", .a)
                return
            } catch  where MonotonicTime.now < deadline {
                try await loop.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// A UDP port, 127.0.0.2:5354, that takes queries and never answers.
private final class SilentPort: Sendable {
    private let descriptor: CInt

    init(loop: EventLoop) async throws {
        descriptor = await Self.open(on: loop)
        try #require(descriptor >= 0)
    }

    deinit {
        close(descriptor)
    }

    /// On the loop's thread, because a socket belongs to the namespace of the thread that makes it.
    private static func open(on loop: EventLoop) async -> CInt {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) {
                let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(5354).bigEndian
                address.sin_addr.s_addr = inet_addr("127.0.0.2")
                let result = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                continuation.resume(returning: result == 0 ? descriptor : -1)
            }
        }
    }
}
