import Foundation
import MQTT
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite(
    "An MQTT client", .enabled(if: MosquittoServer.isInstalled, "mosquitto is not installed"),
    .timeLimit(.minutes(2)))
struct MQTTClientTests {
    private static func settings(_ ports: Int...) -> MQTTSettings {
        var settings = MQTTSettings(
            brokers: ports.map { Broker(host: "127.0.0.1", port: UInt16($0), isSecure: false) }, clientID: "one")
        settings.firstPause = .milliseconds(50)
        settings.longestPause = .milliseconds(200)
        return settings
    }

    private static func message(_ text: String, topic: String = "a/b", isRetained: Bool = false) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    }

    @Test("sends in order, is told what was taken, and receives what it subscribes to", arguments: ["3.1.1", "5"])
    func exchange(version: String) async throws {
        let server = try MosquittoServer()
        let delegate = RecordingDelegate()
        var settings = Self.settings(server.port)
        settings.version = try #require(MQTTSettings.Version(rawValue: version))
        settings.subscriptions = ["a/#"]
        let messages = (0..<100).map { Self.message("\($0)") }
        let client = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("connected") { delegate.connections.count == 1 }
        delegate.add(messages)
        client.wake()
        try await expectSoon("taken") { delegate.taken.count == 100 }
        #expect(delegate.taken == messages)
        try await expectSoon("received") { delegate.received.count == 100 }
        #expect(delegate.received.map(\.payload) == messages.map(\.payload))
        client.stop(within: .seconds(5))
        #expect(delegate.failures == [])
    }

    @Test("sends what was not taken to a broker that comes back")
    func restart() async throws {
        let first = try MosquittoServer()
        let delegate = RecordingDelegate()
        let client = try MQTTClient(Self.settings(first.port), delegate: delegate)
        try await expectSoon("connected") { delegate.connections.count == 1 }
        first.stop()
        try await expectSoon("the end is told") { !delegate.failures.isEmpty }
        delegate.add([Self.message("late", topic: "kept", isRetained: true)])
        client.wake()
        let second = try MosquittoServer(port: first.port)
        try await expectSoon("taken") { delegate.taken.count == 1 }
        let text = try Command.run([
            "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(second.port)", "-t", "kept", "-C", "1", "-W", "20",
        ])
        #expect(text == "late\n")
        client.stop(within: .seconds(5))
    }

    @Test("goes on to the next broker where one cannot be reached")
    func nextBroker() async throws {
        let server = try MosquittoServer()
        let dead = try FreePort.next()
        let delegate = RecordingDelegate()
        let client = try MQTTClient(Self.settings(dead, server.port), delegate: delegate)
        try await expectSoon("connected") { !delegate.connections.isEmpty }
        #expect(delegate.connections.first?.port == UInt16(server.port))
        guard case .unreachable(let broker, _) = delegate.failures.first else {
            Issue.record("\(delegate.failures)")
            return
        }
        #expect(broker.port == UInt16(dead))
        client.stop(within: .seconds(5))
    }

    @Test("has the broker tell of its end: the will where it breaks off, the farewell where it is meant")
    func will() async throws {
        let server = try MosquittoServer()
        var settings = Self.settings(server.port)
        settings.will = Self.message("offline", topic: "h/online", isRetained: true)
        settings.farewell = Self.message("stopped", topic: "h/online", isRetained: true)
        let (watcher, delegate) = (RecordingDelegate(), RecordingDelegate())
        var watching = Self.settings(server.port)
        watching.clientID = "watcher"
        watching.subscriptions = ["h/online"]
        let second = try MQTTClient(watching, delegate: watcher)
        let client = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("both connected") { watcher.connections.count + delegate.connections.count == 2 }
        // A client of the same name takes the place of the first, which then breaks off.
        try Command.run(["mosquitto_pub", "-p", "\(server.port)", "-i", "one", "-t", "x", "-m", "y"])
        try await expectSoon("the will") { watcher.received.contains { $0.payload == Array("offline".utf8) } }
        try await expectSoon("connected again") { delegate.connections.count >= 2 }
        client.stop(within: .seconds(5))
        try await expectSoon("the farewell") { watcher.received.last?.payload == Array("stopped".utf8) }
        second.stop(within: .seconds(5))
    }

    @Test("tells that a password is wrong without telling it, and gets in with the right one")
    func password() async throws {
        let folder = try TemporaryFolder()
        let passwords = try MosquittoServer.passwordFile("me", "secret-word", in: folder)
        let server = try MosquittoServer(options: "password_file \(passwords)", isOpen: false)
        var settings = Self.settings(server.port)
        settings.user = "me"
        settings.passwordFile = try folder.write("wrong-word\n".utf8, to: "password").string
        let delegate = RecordingDelegate()
        let client = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("refused") { !delegate.failures.isEmpty }
        let words = delegate.failures.first.map { "\($0)" } ?? ""
        #expect(words.contains("refuses the connection"), "\(words)")
        #expect(!words.contains("wrong-word"))
        _ = try folder.write("secret-word\n".utf8, to: "password")
        try await expectSoon("connected") { !delegate.connections.isEmpty }
        client.stop(within: .seconds(5))
    }

    /// A broker that speaks TLS with a certificate of a test's authority.
    private static func secure(_ authority: CertificateAuthority, options: String = "") throws -> MosquittoServer {
        let issued = try authority.issue("localhost", CertificateRequest(names: ["DNS:localhost"]))
        return try MosquittoServer(
            options: "certfile \(issued.chainFile)\nkeyfile \(issued.keyFile)\n\(options)")
    }

    @Test("trusts the configured authority only")
    func trust() async throws {
        let (authority, stranger) = (try CertificateAuthority(), try CertificateAuthority())
        let server = try Self.secure(authority)
        var settings = Self.settings(server.port)
        settings.brokers = [Broker(host: "localhost", port: UInt16(server.port), isSecure: true)]
        settings.caFile = stranger.rootFile
        let refused = RecordingDelegate()
        let first = try MQTTClient(settings, delegate: refused)
        try await expectSoon("not trusted") { !refused.failures.isEmpty }
        guard case .untrusted = refused.failures.first else {
            Issue.record("\(refused.failures)")
            return
        }
        first.stop(within: .seconds(5))
        #expect(refused.connections.isEmpty)
        settings.caFile = authority.rootFile
        let delegate = RecordingDelegate()
        delegate.add([Self.message("x")])
        let second = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("taken") { delegate.taken.count == 1 }
        second.stop(within: .seconds(5))
        // The certificate is another host's.
        settings.brokers = [Broker(host: "127.0.0.1", port: UInt16(server.port), isSecure: true)]
        let other = RecordingDelegate()
        let third = try MQTTClient(settings, delegate: other)
        try await expectSoon("another host's") { !other.failures.isEmpty }
        #expect(other.connections.isEmpty)
        third.stop(within: .seconds(5))
    }

    @Test("shows its certificate to a broker that asks for one")
    func clientCertificate() async throws {
        let authority = try CertificateAuthority()
        let server = try Self.secure(
            authority, options: "cafile \(authority.rootFile)\nrequire_certificate true\n")
        let own = try authority.issue(
            "router-7",
            CertificateRequest(names: []) {
                $0.issuer = .root
                $0.usage = "clientAuth"
            })
        var settings = Self.settings(server.port)
        settings.brokers = [Broker(host: "localhost", port: UInt16(server.port), isSecure: true)]
        settings.caFile = authority.rootFile
        let bare = RecordingDelegate()
        let first = try MQTTClient(settings, delegate: bare)
        try await expectSoon("refused") { !bare.failures.isEmpty }
        first.stop(within: .seconds(5))
        settings.certificateFile = own.file
        settings.keyFile = own.keyFile
        let delegate = RecordingDelegate()
        let second = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("connected") { !delegate.connections.isEmpty }
        second.stop(within: .seconds(5))
    }

    @Test("is not held up by a broker that takes the connection and says nothing, and ends at once")
    func silence() async throws {
        let server = try SocketServer { $0.waitForEnd() }
        var settings = Self.settings(server.port)
        settings.patience = .milliseconds(300)
        let delegate = RecordingDelegate()
        let client = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("silent") { !delegate.failures.isEmpty }
        guard case .silent = delegate.failures.first else {
            Issue.record("\(delegate.failures)")
            return
        }
        client.stop(within: .seconds(5))
    }

    @Test("gives up an attempt over a way that has changed, and begins anew at once")
    func change() async throws {
        let count = Mutex(0)
        let server = try SocketServer { connection in
            count.withLock { $0 += 1 }
            connection.waitForEnd()
        }
        var settings = Self.settings(server.port)
        settings.patience = .seconds(600)
        let delegate = RecordingDelegate()
        let client = try MQTTClient(settings, delegate: delegate)
        try await expectSoon("the first attempt") { count.withLock { $0 } == 1 }
        client.retryNow()
        try await expectSoon("the second") { count.withLock { $0 } == 2 }
        #expect(delegate.failures == [])
        client.stop(within: .seconds(5))
    }
}
