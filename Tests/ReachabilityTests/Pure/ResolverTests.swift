import EventLoop
import Foundation
import Glibc
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@testable import Reachability

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
        #expect(ResolvConf.nameServers(text).map(\.description) == expected)
    }

    @Test("a file that is not there is absent, and no shortage")
    func absent() throws {
        #expect(try TextFile.readUnlessShort("/nonexistent/resolv.conf") == nil)
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("nameserver 192.0.2.1\n".utf8), to: "resolv.conf")
        let servers = withExtendedLifetime(folder) { NameServerFiles(path: file.string).read() }
        #expect(servers?.map(\.description) == ["192.0.2.1"])
    }

    @Test("a hostile file names no more servers than there is room for")
    func hostile() {
        let text = (0...9999).map { "nameserver 10.0.\($0 / 256).\($0 % 256)" }.joined(separator: "\n")
        #expect(ResolvConf.nameServers(text).count == 16)
    }

    @Test(
        "only systemd-resolved's own addresses stand for the servers behind them",
        arguments: [
            (["127.0.0.53"], true), (["127.0.0.54"], true), (["127.0.0.53", "127.0.0.54"], true),
            (["127.0.0.1"], false), (["::1"], false), (["127.0.0.53", "127.0.0.1"], false),
            (["127.0.0.53", "192.0.2.1"], false), ([], false),
        ])
    func stubs(_ servers: [String], areStubs: Bool) {
        #expect(NameServerFiles.areStubs(servers.compactMap { IPAddress($0) }) == areStubs)
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

    @Test(
        "a file behind links, in folders that come one by one, is read as soon as it is there",
        .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
    func cameLater() async throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        func path(_ name: String) -> String { folder.path.appending(name).string }
        try manager.createSymbolicLink(atPath: path("resolv.conf"), withDestinationPath: "run/current/stub.conf")
        var configuration = PathMonitor.Configuration()
        configuration.resolverConfiguration = path("resolv.conf")
        let host = try await Host.online(configuration)
        #expect(host.path.nameServers.isEmpty)
        for step in ["run", "run/first", "run/second"] {
            try manager.createDirectory(atPath: path(step), withIntermediateDirectories: false)
        }
        _ = try folder.write(Array("nameserver 192.0.2.1\n".utf8), to: "run/first/stub.conf")
        _ = try folder.write(Array("nameserver 192.0.2.2\n".utf8), to: "run/second/stub.conf")
        try manager.createSymbolicLink(atPath: path("run/current"), withDestinationPath: "first")
        await host.wait("the first") { $0.nameServers == [IPAddress("192.0.2.1")] }
        try manager.createSymbolicLink(atPath: path("run/next"), withDestinationPath: path("run/second"))
        #expect(rename(path("run/next"), path("run/current")) == 0)
        await host.wait("the second") { $0.nameServers == [IPAddress("192.0.2.2")] }
        #expect(rename(path("run"), path("gone")) == 0)
        await host.wait("none") { $0.nameServers.isEmpty }
        #expect(rename(path("gone"), path("run")) == 0)
        await host.wait("the same again") { $0.nameServers == [IPAddress("192.0.2.2")] }
        #expect(host.log.updates.allSatisfy { $0.cause.kind == .nameServers && !$0.isTransition })
    }

    @Test("the way to a file is watched hop by hop, up to what is not there yet")
    func trail() throws {
        let folder = try TemporaryFolder()
        let root = folder.path.string
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(root)/a/b", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(root)/a/file", withDestinationPath: "../c/./d/file")
        // IN_CREATE
        func told(_ name: String) -> Bool {
            FileTrail(["\(root)/a/file"]).places[root + name].map { $0 & 0x100 != 0 } ?? false
        }
        #expect(told("/a") && told("") && !told("/a/b"))
        try manager.createDirectory(atPath: "\(root)/c", withIntermediateDirectories: true)
        #expect(told("/a") && !told("") && told("/c"))
        try manager.createDirectory(atPath: "\(root)/c/d", withIntermediateDirectories: true)
        #expect(told("/a") && !told("/c") && told("/c/d"))
        try manager.createSymbolicLink(atPath: "\(root)/c/d/file", withDestinationPath: "file")
        #expect(told("/c/d"), "a link to itself ends")
    }
}
