import EventLoop
import Foundation
import NetworkAddress
import Resolver
import SystemPackage
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch
@testable import Probing

/// A network whose DHCP server gives the address of its portal's API (RFC 8910, option 114), and a real client there.
@Suite(
    "A portal's API in a real lease", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct LeasedPortalTests {
    private let network: PortalNetwork

    init() throws {
        network = try PortalNetwork { folder in
            [
                "--dhcp-range=10.1.0.10,10.1.0.50,255.255.255.0,10m", "--dhcp-option=114,https://check.test/api",
                "--no-ping", "--interface=router", "--enable-ra", "--dhcp-range=fd00:1::10,fd00:1::50,64,10m",
                "--dhcp-option=option6:103,https://check.test/api",
                "--dhcp-authoritative", "--dhcp-leasefile=\(folder)/server.leases",
            ]
        }
        try network.answer(#"{"captive": true, "user-portal-url": "https://login.test/"}"#)
    }

    private func start(_ process: DHCPClient) async throws -> (ConnectivityMonitor, EventReader) {
        let monitor = ConnectivityMonitor(
            try network.configuration(), try EventLoop(networkNamespace: network.client.descriptor),
            leaseFolders: process.leaseFolders)
        let reader = EventReader(monitor, limit: .seconds(60))
        try await monitor.start()
        return (monitor, reader)
    }

    @Test(
        "is asked once the client has its lease, and says who has to log in where",
        .enabled(if: DHCPClient.areInstalled, "dhclient and dhcpcd are not installed"),
        .enabled(if: DHCPClient.canBecomeOthers, "dhcpcd needs another user to become"),
        arguments: DHCPClient.Program.allCases)
    func lease(program: DHCPClient.Program) async throws {
        let process = try await DHCPClient(program, on: "up1", in: network.client, folder: network.folder)
        let (monitor, reader) = try await start(process)
        try await reader.wait(for: .full)
        // DHCPv6 is spoken from the link-local address, once no other host has it.
        try await expectSoon("a link-local address") {
            try network.client.run("ip", "-6", "address", "show", "dev", "up1", "scope", "link", "-tentative") != ""
        }
        try process.go()
        let captive: Event
        do {
            captive = try await reader.wait(for: .portal)
        } catch {
            Issue.record("the client said: \(process.output)")
            throw error
        }
        #expect(captive.portal == "https://login.test/")
        #expect(captive.captivePortal?.interface == "up1")
        #expect(captive.captivePortal?.api == "https://check.test/api")
        // The lease stays in its file, and says nothing of a network where the interface has another address.
        _ = process.end()
        try network.client.ip(
            """
            address flush dev up1 to fd00:1::/64 scope global
            address flush dev up1 to 10.1.0.0/26 scope global
            address replace 10.1.0.2/24 dev up1
            """)
        try network.client.run("ip", "route", "replace", "default", "via", "10.1.0.1", "dev", "up1", "metric", "100")
        try await reader.wait { $0.captivePortal == nil && $0.connectivity == .full }
        await monitor.stop()
    }
}

/// A DHCP client with a `/var/lib` and a `/run` of its own. It waits until it is told to go.
final class DHCPClient: Sendable {
    enum Program: String, CaseIterable, Sendable {
        case dhclient
        case dhcpcd
        /// The same for DHCPv6 (option 103).
        case dhclient6
        case dhcpcd6
    }

    private let process: BackgroundProcess
    /// The root of its file system: dhcpcd changes its own later.
    private let root: FileDescriptor

    static let areInstalled = ["/usr/sbin/dhcpcd", "/sbin/dhclient"]
        .allSatisfy(FileManager.default.isExecutableFile)

    /// Whether there are other users here for dhcpcd to become, as there are not where a user made himself root.
    static var canBecomeOthers: Bool {
        let map = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
        return (map?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0) > 1
    }

    init(_ program: Program, on link: String, in namespace: TestNamespace, folder: TemporaryFolder) async throws {
        let start =
            switch program {
            case .dhclient:
                // A copy: security modules know the program by its path, and keep it from this folder.
                "cp /sbin/dhclient /run/client; exec /run/client -d -4 -sf \(folder.path)/script -cf \(folder.path)/dhclient.conf \(link)"
            case .dhclient6:
                "cp /sbin/dhclient /run/client; exec /run/client -d -6 -sf \(folder.path)/script -cf \(folder.path)/dhclient6.conf \(link)"
            case .dhcpcd6: "exec dhcpcd -B -6 -c /bin/true -f \(folder.path)/dhcpcd6.conf \(link)"
            case .dhcpcd: "exec dhcpcd -B -4 -c /bin/true -f \(folder.path)/dhcpcd.conf \(link)"
            }
        _ = try folder.write(
            Array(
                """
                #!/bin/sh
                [ -z "$new_ip_address" ] || ip address replace "$new_ip_address/24" dev "$interface"
                [ -z "$new_ip6_address" ] || ip address replace "$new_ip6_address/64" dev "$interface" nodad
                """.utf8), to: "script")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/script")
        _ = try folder.write(
            Array("request subnet-mask, routers;\nalso request default-url;\n".utf8), to: "dhclient.conf")
        _ = try folder.write(
            Array("define 114 string captive_portal_uri\noption captive_portal_uri\nnoarp\nnodelay\nnogateway\n".utf8),
            to: "dhcpcd.conf")
        _ = try folder.write(Array("also request dhcp6.v6-captive-portal;\n".utf8), to: "dhclient6.conf")
        _ = try folder.write(
            Array("define6 103 string captive_portal_uri\noption dhcp6_captive_portal_uri\nnodelay\nnogateway\n".utf8),
            to: "dhcpcd6.conf")
        process = try namespace.start(
            "unshare", "--mount", "sh", "-c",
            """
            mount -t tmpfs none /var/lib && mount -t tmpfs none /run && touch /var/lib/ready || exit
            until [ -e /var/lib/go ]; do sleep 0.05; done
            mkdir /var/lib/dhcp /var/lib/dhcpcd
            \(start)
            """)
        let ofProcess = "/proc/\(process.processID)/root"
        try await expectSoon { FileManager.default.fileExists(atPath: "\(ofProcess)/var/lib/ready") }
        root = try FileDescriptor.open(FilePath(ofProcess), .readOnly, options: [.directory, .closeOnExec])
    }

    deinit {
        try? root.close()
    }

    private var rootPath: String { "/proc/self/fd/\(root.rawValue)" }

    /// The folders that are watched on a host.
    var leaseFolders: [LeaseFolder] {
        LeaseFolder.system.map { LeaseFolder(path: rootPath + $0.path, keeper: $0.keeper) }
    }

    func go() throws {
        try Data().write(to: URL(fileURLWithPath: "\(rootPath)/var/lib/go"))
    }

    var output: String { process.output }

    func end() -> Int32 { process.terminate() }
}
