import Foundation
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch serve over MQTT",
    .enabled(if: TestNamespace.unavailable == nil && MosquittoServer.isInstalled, "no namespaces, or no mosquitto"),
    .timeLimit(.minutes(3)))
struct PublishingTests {
    /// A service in a namespace, in which its brokers run, too.
    private struct Service {
        let uplink: Uplink
        let folder: TemporaryFolder
        let run: ProgramRun
        let socket: String

        init(_ section: String) async throws {
            uplink = try Uplink()
            try uplink.connect()
            folder = try TemporaryFolder()
            socket = folder.path.appending("s.sock").string
            let yaml = """
                service:
                  listen: 127.0.0.1:0
                  socket: \(socket)
                  name: router-7
                  labels: {site: Bern, provider: "7"}
                  mqtt:
                \(section)

                """
            let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
            run = try ProgramRun(
                [Netwatch.path, "serve", "--config", file, "--no-probe", "--json"], in: uplink.namespace)
            let run = run
            _ = try await run.wait(for: "the socket") { run.errorText.contains("listening on unix:") ? true : nil }
        }

        func get(_ path: String) throws -> String {
            try Command.run(["curl", "-s", "-m", "20", "--unix-socket", socket, "http://localhost/\(path)"])
        }
    }

    private static func listen(in namespace: TestNamespace, port: Int, _ filter: String) throws -> BackgroundProcess {
        try BackgroundProcess(
            [
                "nsenter", "--net=\(namespace.path)", "--", "mosquitto_sub", "-p", "\(port)", "-q", "1", "-t", filter,
                "-F", "%r %t %p",
            ])
    }

    private static func lines(_ process: BackgroundProcess, _ topic: String) -> [String] {
        process.output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            return parts.count == 3 && parts[1].hasSuffix(topic) ? String(parts[2]) : nil
        }
    }

    @Test("presence, state and events are there, through a restart of the broker, each event once or more and in order")
    func restart() async throws {
        let port = try FreePort.next()
        let service = try await Service("    brokers: mqtt://127.0.0.1:\(port)\n    homeAssistant: homeassistant")
        try await expectSoon("the failure is told") { service.run.errorText.contains("mqtt: mqtt://127.0.0.1") }
        let first = try MosquittoServer(in: service.uplink.namespace, port: port)
        let listener = try Self.listen(in: service.uplink.namespace, port: port, "#")
        try await expectSoon("online") { Self.lines(listener, "router-7/online") == ["online"] }
        try await expectSoon("state") { !Self.lines(listener, "router-7/state").isEmpty }
        try await expectSoon("Home Assistant") { Self.lines(listener, "/config").count == 2 }
        #expect(try service.get("readyz?verbose").contains("[+]export-mqtt ok: connected to mqtt://127.0.0.1:\(port)"))
        first.stop()
        let before = service.run.lines.count
        try service.uplink.namespace.ip(
            """
            link set up0 down
            link set up0 up
            route add default via 192.0.2.1 dev up0
            """)
        _ = try await service.run.wait(for: "events") { service.run.lines.count >= before + 2 ? true : nil }
        // What is published before there is a reader has none.
        service.run.send(SIGSTOP)
        let second = try MosquittoServer(in: service.uplink.namespace, port: port)
        let later = try Self.listen(in: service.uplink.namespace, port: port, "netwatch/#")
        _ = try service.uplink.namespace.run(
            "mosquitto_pub", "-p", "\(port)", "-r", "-t", "netwatch/here", "-m", "here")
        try await expectSoon("the reader") { !Self.lines(later, "netwatch/here").isEmpty }
        service.run.send(SIGCONT)
        // What came before has gone to a broker that is gone, too.
        let written = { try service.run.lines.dropFirst(before).map { try Identity($0) } }
        try await expectSoon("all events") {
            let seen = try (Self.lines(listener, "/events") + Self.lines(later, "/events")).map { try Identity($0) }
            return Set(try written()).isSubset(of: seen)
        }
        let sent = try Self.lines(later, "/events").map { try Identity($0).seq }
        #expect(sent == sent.sorted())
        // The retained state is what /status tells.
        let status = try Identity(try service.get("status"))
        try await expectSoon("the state") { try Self.lines(later, "/state").last.map { try Identity($0) } == status }
        #expect(status.host.labels == ["site": "Bern", "provider": "7"])
        let schema = Self.lines(later, "/events") + Self.lines(later, "/state")
        #expect(try Netwatch.validate(schema))
        let metrics = try service.get("metrics")
        #expect(metrics.contains("netwatch_export_up{exporter=\"mqtt\"} 1\n"))
        #expect(metrics.contains("host_name=\"router-7\",label_provider=\"7\",label_site=\"Bern\"} 1\n"))
        service.run.send(SIGTERM)
        #expect(try await service.run.end() == 0)
        try await expectSoon("the farewell") { Self.lines(later, "/online").last == "stopped" }
        // One line for each change.
        let told = service.run.errorText.split(separator: "\n").filter { $0.contains("mqtt: ") }
        #expect(told.count <= 5, "\(told)")
        withExtendedLifetime(second) {}
    }

    @Test("a host that is killed is told by its will")
    func will() async throws {
        let port = try FreePort.next()
        let service = try await Service("    brokers: [mqtt://127.0.0.1:\(port)]\n    prefix: lab/one")
        let server = try MosquittoServer(in: service.uplink.namespace, port: port)
        let listener = try Self.listen(in: service.uplink.namespace, port: port, "lab/one/+/online")
        try await expectSoon("online") { Self.lines(listener, "online") == ["online"] }
        service.run.send(SIGKILL)
        try await expectSoon("the will") { Self.lines(listener, "online") == ["online", "offline"] }
        withExtendedLifetime(server) {}
    }

    @Test(
        "NATS with JetStream takes what a host publishes, and tells its will",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/nats-server"), "no nats-server"))
    func nats() async throws {
        let (port, clients) = (try FreePort.next(), try FreePort.next())
        let service = try await Service("    brokers: [mqtt://127.0.0.1:\(port)]")
        let configuration = """
            server_name: one
            listen: 127.0.0.1:\(clients)
            jetstream { store_dir: "\(service.folder.path.appending("store").string)" }
            mqtt { listen: 127.0.0.1:\(port) }
            """
        let file = try service.folder.write(configuration.utf8, to: "nats.conf").string
        let enter = ["nsenter", "--net=\(service.uplink.namespace.path)", "--"]
        let server = try BackgroundProcess(enter + ["nats-server", "-c", file])
        try await expectSoon("connected") { try service.get("readyz?verbose").contains("connected to") }
        let status = enter + [Netwatch.path, "fleet", "status", "--broker", "mqtt://127.0.0.1:\(port)"]
        try await expectSoon("the host") {
            try Command.capture(status).output.hasPrefix("1 host at 1 site: 1 ")
        }
        service.run.send(SIGKILL)
        try await expectSoon("the will") {
            try Command.capture(status).output.hasSuffix("host router-7 is cut off\n")
        }
        withExtendedLifetime(server) {}
    }

    @Test("a wrong password is told without being told, and the service answers all the while")
    func password() async throws {
        let folder = try TemporaryFolder()
        let passwords = try MosquittoServer.passwordFile("router", "right-word", in: folder)
        let file = try folder.write("wrong-word\n".utf8, to: "password").string
        let port = try FreePort.next()
        let service = try await Service(
            "    brokers: mqtt://127.0.0.1:\(port)\n    user: router\n    passwordFile: \(file)")
        let server = try MosquittoServer(
            in: service.uplink.namespace, port: port, options: "password_file \(passwords)", isOpen: false)
        try await expectSoon("the refusal") {
            try service.get("readyz?verbose").contains("refuses the connection")
        }
        #expect(try service.get("readyz") == "ok")
        for text in [service.run.errorText, try service.get("metrics"), try service.get("readyz?verbose")] {
            #expect(!text.contains("wrong-word"))
        }
        _ = try folder.write("right-word\n".utf8, to: "password")
        // A change of the path ends the pause, which has grown meanwhile.
        try service.uplink.namespace.ip("link set up0 down")
        try await expectSoon("connected") { try service.get("readyz?verbose").contains("connected to") }
        withExtendedLifetime(server) {}
    }
}

/// Which event it is of which host.
private struct Identity: Decodable, Hashable {
    struct Host: Decodable, Hashable {
        let id: String
        let labels: [String: String]
    }

    let epoch: UInt64
    let seq: UInt64
    let host: Host

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Identity.self, from: Data(text.utf8))
    }
}
