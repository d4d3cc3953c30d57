import EventLoop
import Foundation
import NetworkAddress
import Reachability
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

@Suite(
    "What leases tell of portals", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct PortalSourcesTests {
    private static let api = "https://portal.test/api"
    private let folder: TemporaryFolder
    private let namespace: TestNamespace
    private let loop: EventLoop

    init() throws {
        folder = try TemporaryFolder()
        namespace = try TestNamespace()
        loop = try EventLoop(networkNamespace: namespace.descriptor)
    }

    private func sources(_ keeper: LeaseFolder.Keeper, at path: String = "state") throws -> PortalSources {
        try PortalSources(loop: loop, folders: [LeaseFolder(path: "\(folder.path)/\(path)", keeper: keeper)])
    }

    private func makeFolder(_ path: String = "state") throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/state/\(name)"))
    }

    private func link(_ api: String? = api) -> String {
        "ADMIN_STATE=configured\n" + (api.map { "CAPTIVE_PORTAL=\($0)\n" } ?? "")
    }

    private func lease(_ address: String = "10.77.0.9", of interface: String = "eth0", api: String? = api) -> String {
        "lease {\n  interface \"\(interface)\";\n  fixed-address \(address);\n"
            + (api.map { "  option default-url \"\($0)\";\n" } ?? "") + "}\n"
    }

    /// A path by `eth0`, index 2.
    private func path(_ address: String = "10.77.0.9", hasCarrier: Bool = true) throws -> Path {
        var path = Path.by("eth0")
        path.interfaces[0].hasCarrier = hasCarrier
        path.interfaces[0].addresses = [InterfaceAddress(address: try #require(IPAddress(address)), prefixLength: 24)]
        return path
    }

    @Test("is told once, and again after the carrier was lost")
    func carrier() throws {
        try makeFolder()
        try write(link(), to: "2")
        let sources = try sources(.networkd)
        let news = [PortalSources.News(index: 2, api: Self.api)]
        #expect(sources.follow(try path(hasCarrier: false)) == [])
        #expect(sources.follow(try path()) == news)
        #expect(sources.follow(try path()) == [])
        #expect(sources.follow(try path(hasCarrier: false)) == [])
        #expect(sources.follow(try path()) == news)
        #expect(sources.follow(.gone) == [])
        #expect(sources.follow(try path()) == news)
    }

    @Test("gives way to what the configuration says of the interface, while that says so")
    func configured() throws {
        try makeFolder()
        try write(link(), to: "2")
        let sources = try PortalSources(
            loop: loop, folders: [LeaseFolder(path: "\(folder.path)/state", keeper: .networkd)],
            configured: ["eth0": "https://own.test/", "eth1": "https://else.test/"])
        #expect(sources.follow(try path()) == [PortalSources.News(index: 2, api: "https://own.test/")])
        #expect(sources.use(["eth1": "https://else.test/"]) == [PortalSources.News(index: 2, api: Self.api)])
        #expect(sources.use(["eth0": CaptivePortal.unrestricted]).map(\.api) == [CaptivePortal.unrestricted])
        #expect(sources.follow(try path(hasCarrier: false)) == [])
    }

    @Test(
        "has to be HTTPS in the configuration",
        arguments: [
            ("https://a.test/api", true), (CaptivePortal.unrestricted, true), ("http://a.test/", false),
            ("https://", false),
            ("", false), ("https://a test/", false),
        ])
    func validated(api: String, isGood: Bool) {
        var configuration = ConnectivityConfiguration()
        configuration.portalAPIs = ["eth0": api]
        #expect(((try? configuration.validate()) != nil) == isGood)
    }

    @Test("is told when the file changes, not when it is empty for a moment, and is told no more with it")
    func changes() throws {
        try makeFolder()
        let sources = try sources(.networkd)
        #expect(sources.follow(try path()) == [])
        try write(link(), to: "2")
        #expect(sources.drain() == [PortalSources.News(index: 2, api: Self.api)])
        try write("", to: "2")
        #expect(sources.drain() == [])
        try write(link("https://other.test/"), to: "2")
        #expect(sources.drain() == [PortalSources.News(index: 2, api: "https://other.test/")])
        try write(link("http://no-tls.test/"), to: "2")
        #expect(sources.drain() == [PortalSources.News(index: 2, api: nil)])
        try write(link(), to: "2")
        #expect(sources.drain() == [PortalSources.News(index: 2, api: Self.api)])
        try FileManager.default.removeItem(atPath: "\(folder.path)/state/2")
        #expect(sources.drain() == [PortalSources.News(index: 2, api: nil)])
    }

    @Test("is found in a folder that comes later, goes, and comes again")
    func folders() throws {
        let sources = try PortalSources(
            loop: loop,
            folders: [
                LeaseFolder(path: "\(folder.path)/a/b/state", keeper: .networkd),
                LeaseFolder(path: "\(folder.path)/a/b/leases", keeper: .dhclient),
                LeaseFolder(path: "\(folder.path)/a/b", keeper: .dhcpcd),
            ])
        #expect(sources.follow(try path()) == [])
        for _ in 0..<2 {
            try makeFolder("a")
            #expect(sources.drain() == [])
            try makeFolder("a/b/state")
            try makeFolder("a/b/leases")
            #expect(sources.drain() == [])
            let link = "\(folder.path)/a/b/state/2"
            try Data(self.link().utf8).write(to: URL(fileURLWithPath: link))
            #expect(sources.drain() == [PortalSources.News(index: 2, api: Self.api)])
            try FileManager.default.removeItem(atPath: link)
            #expect(sources.drain() == [PortalSources.News(index: 2, api: nil)])
            let log = "\(folder.path)/a/b/leases/dhclient.leases"
            try Data(lease().utf8).write(to: URL(fileURLWithPath: log))
            #expect(sources.drain() == [PortalSources.News(index: 2, api: Self.api)])
            try FileManager.default.removeItem(atPath: "\(folder.path)/a")
            #expect(sources.drain() == [PortalSources.News(index: 2, api: nil)])
        }
    }

    @Test("counts while the interface has the address that was leased")
    func address() throws {
        try makeFolder()
        try write(lease("10.77.0.8", api: "https://old.test/") + lease(), to: "dhclient.leases")
        let sources = try sources(.dhclient)
        #expect(sources.follow(try path("10.77.0.8")) == [])
        #expect(sources.follow(try path()) == [PortalSources.News(index: 2, api: Self.api)])
        #expect(sources.follow(try path("192.0.2.1")) == [PortalSources.News(index: 2, api: nil)])
    }

    @Test("is that of the newest file, where several are of one address")
    func newest() throws {
        try makeFolder()
        try write(lease(), to: "dhclient.eth0.leases")
        try write(lease(api: nil), to: "dhclient.leases")
        let files = "\(folder.path)/state/dhclient"
        func date(_ name: String, _ time: TimeInterval) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: files + name)
        }
        try date(".eth0.leases", 1000)
        try date(".leases", 2000)
        #expect(try sources(.dhclient).follow(try path()) == [])
        try date(".eth0.leases", 3000)
        #expect(try sources(.dhclient).follow(try path()) == [PortalSources.News(index: 2, api: Self.api)])
    }

    @Test("costs nothing where there is no such file: no news of a path asks for one")
    func absent() throws {
        let sources = try sources(.networkd, at: "nowhere/at/all")
        #expect(sources.follow(try path()) == [])
        try makeFolder("nowhere/at/all")
        try Data(link().utf8).write(to: URL(fileURLWithPath: "\(folder.path)/nowhere/at/all/2"))
        // It is the watch that tells, and nothing else.
        #expect(sources.follow(try path()) == [])
        #expect(sources.drain() == [PortalSources.News(index: 2, api: Self.api)])
    }
}
