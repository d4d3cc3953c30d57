import Connectivity
import EventLoop
import Foundation
import Netwatch
import Reachability
import TestSupport
import Testing

/// A monitor beside a program that talks to the Internet: real connections over a link whose far side is a test's.
@Suite(
    "A monitor beside the host's own traffic", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct TrafficMonitorTests {
    private let client: TestNamespace
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func start(
        _ configure: (inout ConnectivityConfiguration) -> Void
    ) async throws -> (ConnectivityMonitor, EventReader) {
        var configuration = ConnectivityConfiguration(targets: [
            try Target(
                "http://\(TalkingUpstream.check)/", name: "check", role: .reference, expectation: .noContent)
        ])
        configuration.jitter = 0
        configure(&configuration)
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let reader = EventReader(monitor, limit: .seconds(60))
        try await monitor.start()
        try await reader.wait(for: .full)
        return (monitor, reader)
    }

    @Test("sends no probe while a connection goes on, also without any privilege")
    func putOff() async throws {
        let upstream = try TalkingUpstream(of: client)
        let talk = try await upstream.startTalk()
        loop.dropPrivileges()
        let (monitor, reader) = try await start { configuration in
            configuration.interval = .seconds(3)
            configuration.traffic = TrafficConfiguration()
        }
        try await expectSoon { monitor.statistics.probesPutOff >= 2 }
        await monitor.stop()
        #expect(monitor.statistics.probes == 1)
        #expect(upstream.web.accessLog.count == 1)
        #expect(await reader.seen.map(\.connectivity).last == .full)
        withExtendedLifetime(talk) {}
    }

    @Test("suspects an uplink that dies without a word before any probe, and knows it by the next")
    func silentDeath() async throws {
        let upstream = try TalkingUpstream(of: client)
        let talk = try await upstream.startTalk()
        let (monitor, reader) = try await start { configuration in
            configuration.interval = .seconds(600)
            configuration.traffic = TrafficConfiguration(interval: .milliseconds(100))
        }
        #expect(monitor.statistics.probes == 1)
        try upstream.drop("198.51.100.0/24")
        let suspected = try await reader.wait { $0.suspectSince != nil }
        #expect(suspected.connectivity == .full)
        #expect(suspected.kind == .uplink)
        #expect(suspected.cause.kind == .traffic)
        #expect(suspected.cause.interface == "up1")
        let fallen = try await reader.wait { $0.connectivity != .full }
        #expect(fallen.connectivity == .local)
        #expect(fallen.reason == .connectTimeout)
        #expect(fallen.suspectSince == nil)
        #expect(monitor.statistics.probes >= 1)
        await monitor.stop()
        withExtendedLifetime(talk) {}
    }

    @Test("stays full where nobody answers but the connection goes on, and says that the check addresses are gone")
    func endpointsGone() async throws {
        let upstream = try TalkingUpstream(of: client)
        let talk = try await upstream.startTalk()
        let (monitor, reader) = try await start { configuration in
            configuration.interval = .seconds(1)
            configuration.retryDelay = .milliseconds(200)
            configuration.timeout = .seconds(2)
            configuration.traffic = TrafficConfiguration()
        }
        try upstream.drop("\(TalkingUpstream.check)/32")
        // Only a probe that a caller asks for is sent while the connection goes on.
        await monitor.check()
        let told = try await reader.wait { $0.reason == .endpointsUnreachable }
        #expect(told.connectivity == .full)
        #expect(told.targets.map(\.status) == [.down])
        #expect(told.targets.first?.blame == .target)
        try upstream.restore()
        let back = try await reader.wait { $0.reason == nil }
        #expect(back.connectivity == .full)
        let since = await reader.seen.drop { $0.connectivity == .unknown }
        #expect(since.allSatisfy { $0.connectivity == .full })
        await monitor.stop()
        withExtendedLifetime(talk) {}
    }
}

/// An uplink with a check endpoint behind it, and a server at another public address that a connection goes to.
private final class TalkingUpstream: Sendable {
    static let check = "198.51.100.1"
    private static let echo = "198.51.100.2"

    let uplink: Uplink
    let web: NginxServer
    private let server: BackgroundProcess

    init(of client: TestNamespace) throws {
        uplink = try Uplink("up1", number: 1, of: client)
        try uplink.router.ip(
            """
            address add \(Self.check)/32 dev lo
            address add \(Self.echo)/32 dev lo
            """)
        // The rules are numbered so that one can stand before that of local addresses.
        try uplink.router.run("ip", "rule", "add", "pref", "100", "lookup", "local")
        try uplink.router.run("ip", "rule", "del", "pref", "0")
        web = try NginxServer(in: uplink.router, port: 80, locations: "location / { return 204; }")
        server = try uplink.router.start("python3", "-c", Self.echoServer)
        try uplink.addDefaultRoute()
    }

    /// Starts a program of the client's that sends a little ten times a second and reads what comes back; returns once
    /// something has.
    func startTalk() async throws -> BackgroundProcess {
        let program = try uplink.client.start("python3", "-c", Self.talker)
        try await expectSoon { program.output.contains("heard") }
        return program
    }

    /// Everything that the client sends there disappears without a word; the carrier stays.
    func drop(_ prefix: String) throws {
        try uplink.router.run("ip", "rule", "add", "pref", "5", "iif", "router", "to", prefix, "blackhole")
    }

    func restore() throws {
        try uplink.router.run("ip", "rule", "del", "pref", "5")
    }

    private static let echoServer = """
        import socket, threading
        def echo(connection):
            while data := connection.recv(65536):
                connection.sendall(data)
        listener = socket.create_server(("\(echo)", 5000))
        while True:
            threading.Thread(target=echo, args=(listener.accept()[0],), daemon=True).start()
        """

    private static let talker = """
        import socket, time
        while True:
            try:
                connection = socket.create_connection(("\(echo)", 5000))
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        connection.settimeout(0.1)
        while True:
            try:
                connection.send(b"hello")
                if connection.recv(65536):
                    print("heard", flush=True)
            except TimeoutError:
                pass
            time.sleep(0.1)
        """
}
