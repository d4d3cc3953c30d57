import EventLoop
import Foundation
import NetworkAddress
import Reachability
import TestSupport
import Testing

@Suite("Name servers")
struct ResolverTests {
    @Test(
        "resolv.conf is read as the resolver reads it",
        arguments: [
            ("nameserver 192.0.2.1\nnameserver 2001:db8::1\n", ["192.0.2.1", "2001:db8::1"]),
            ("# nameserver 192.0.2.1\n;nameserver 192.0.2.2\nsearch example\n", []),
            ("nameserver\t192.0.2.1   # comment\r\nnameserver fe80::1%eth0\n", ["192.0.2.1", "fe80::1"]),
            ("nameserver 192.0.2.1\nnameserver 192.0.2.1\nnameserver nonsense\nnameserver\n", ["192.0.2.1"]),
            ("", []),
        ])
    func parse(_ text: String, _ expected: [String]) {
        #expect(ResolverConfiguration.nameServers(text).map(\.description) == expected)
    }

    @Test("a hostile file names no more servers than there is room for")
    func hostile() {
        let text = (0...9999).map { "nameserver 10.0.\($0 / 256).\($0 % 256)" }.joined(separator: "\n")
        #expect(ResolverConfiguration.nameServers(text).count == 16)
    }

    @Test(
        "a replaced file is told, and is no transition",
        .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
    func watched() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("resolv.conf")
        try "nameserver 192.0.2.1\n".write(to: file, atomically: true, encoding: .utf8)
        var configuration = PathMonitor.Configuration()
        configuration.resolverConfiguration = file.path
        let host = try await Host.online(configuration)
        #expect(host.path.nameServers == [IPAddress("192.0.2.1")])
        try "nameserver 192.0.2.2\n".write(to: file, atomically: true, encoding: .utf8)
        await host.wait { $0.nameServers == [IPAddress("192.0.2.2")] }
        #expect(host.log.updates.map(\.cause.kind) == [.nameServers])
        #expect(host.log.transitions.isEmpty)
    }
}
