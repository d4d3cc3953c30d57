import EventLoop
import NetworkAddress
import Resolver
import TestSupport

/// A dnsmasq that knows a few names, beside a port that swallows queries, both in a namespace of their own.
final class NameServerFixture: Sendable {
    let loop: EventLoop
    private let namespace: TestNamespace
    private let processes: [BackgroundProcess]

    init() async throws {
        namespace = try TestNamespace()
        loop = try EventLoop(networkNamespace: namespace.descriptor)
        let server = try namespace.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=", "--port=5353",
            "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/",
            "--host-record=both.test,192.0.2.7,2001:db8::7", "--host-record=v4.test,192.0.2.4",
            "--txt-record=text.test,first second", "--mx-host=mail.test,mx.mail.test,10",
            "--srv-host=_http._tcp.test,web.test,8080,5,7", "--caa-record=caa.test,0,issue,ca.test")
        let silent = try namespace.start(
            "python3", "-c",
            "import socket,time; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind(('127.0.0.2',5354)); time.sleep(600)")
        processes = [server, silent]
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

    private func waitUntilAnswered() async throws {
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while true {
            do {
                _ = try await resolver().records(of: "v4.test", .a)
                return
            } catch where MonotonicTime.now < deadline {
                try await loop.sleep(for: .milliseconds(20))
            }
        }
    }
}
