import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "netwatch fleet", .enabled(if: MosquittoServer.isInstalled, "mosquitto is not installed"), .timeLimit(.minutes(2)))
struct FleetCommandTests {
    private static func publish(_ server: MosquittoServer, _ topic: String, _ text: String) throws {
        try Command.run([
            "mosquitto_pub", "-p", "\(server.port)", "-q", "1", "-r", "-t", "netwatch/\(topic)", "-m", text,
        ])
    }

    private static func state(_ host: String, _ connectivity: String = "full", api: String = "up") -> String {
        """
        {"schema":1,"seq":1,"kind":"snapshot","epoch":7,"host":{"id":"\(host)","name":"\(host)",\
        "labels":{"site":"\(host.prefix { $0 != "-" })"}},"reachability":"wwan","connectivity":"\(connectivity)",\
        "targets":[{"target":"api","status":"\(api)"}]}
        """
    }

    private static func hosts(_ server: MosquittoServer, api: String = "up") throws {
        for host in ["Bern-1", "Bern-2", "Chur-1", "Chur-2", "Chur-3"] {
            try publish(server, "\(host)/online", "online")
            try publish(server, "\(host)/state", state(host, api: api))
        }
    }

    @Test("status tells once how the fleet is, and its exit status says it to scripts")
    func status() async throws {
        let server = try MosquittoServer()
        let command = ["fleet", "status", "--broker", "mqtt://127.0.0.1:\(server.port)"]
        let nothing = try await Netwatch.run(command + ["--timeout", "3s"])
        #expect(nothing.status == 6 && nothing.lines == ["no host has published anything"])
        try Self.hosts(server)
        let well = try await Netwatch.run(command)
        #expect(well.lines == ["5 hosts at 2 sites: 5 well"])
        #expect(well.status == 0)
        for host in ["Bern-1", "Bern-2"] { try Self.publish(server, "\(host)/online", "offline") }
        let broken = try await Netwatch.run(command)
        #expect(
            broken.lines == [
                "5 hosts at 2 sites: 3 well, 2 cut off", "site Bern: 2 of 2 hosts are cut off or down",
            ])
        #expect(broken.status == 3)
        let json = try await Netwatch.run(command + ["--json"])
        let object = try JSONSerialization.jsonObject(with: Data((json.lines.first ?? "").utf8)) as? [String: Any]
        let finding = (object?["findings"] as? [[String: Any]])?.first
        #expect(finding?["level"] as? String == "site" && finding?["site"] as? String == "Bern")
        #expect((object?["conditions"] as? [String: Int])?["cut-off"] == 2)
        try Self.hosts(server, api: "down")
        let target = try await Netwatch.run(command)
        #expect(target.lines.last == "api is down for 5 of 5 hosts at 2 sites")
    }

    /// A way to a broker, whose answers take almost a second on it.
    private static func slowLink(to port: Int) throws -> SocketServer {
        try SocketServer { client in
            guard let descriptor = try? SocketServer.connect(to: port) else { return }
            defer { close(descriptor) }
            let broker = SocketServer.Connection(descriptor: descriptor)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            // The greeting and the first grant; what follows them arrives as it is said.
            var late = 2
            while true {
                var queries = [client, broker].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                guard poll(&queries, 2, 60_000) > 0 else { return }
                let isAnswer = queries[0].revents == 0
                if isAnswer, late > 0 {
                    usleep(900_000)
                    late -= 1
                }
                let count = read(isAnswer ? broker.descriptor : client.descriptor, &buffer, buffer.count)
                guard count > 0, (isAnswer ? client : broker).send(Array(buffer[..<count])) else { return }
            }
        }
    }

    @Test("status waits for what a broker holds, however far away it is")
    func farBroker() async throws {
        let server = try MosquittoServer()
        try Self.hosts(server)
        let link = try Self.slowLink(to: server.port)
        defer { withExtendedLifetime(link) {} }
        let outcome = try await Netwatch.run([
            "fleet", "status", "--broker", "mqtt://127.0.0.1:\(link.port)", "--timeout", "30s",
        ])
        #expect(outcome.status == 0 && outcome.lines == ["5 hosts at 2 sites: 5 well"], "\(outcome)")
    }

    @Test("without a terminal a line follows each change, also through a restart of the broker")
    func lines() async throws {
        let server = try MosquittoServer()
        try Self.hosts(server)
        let run = try Netwatch.start("fleet", "--broker", "mqtt://127.0.0.1:\(server.port)")
        _ = try await run.wait(for: "the fleet") { run.lines.contains("5 hosts at 2 sites: 5 well") ? true : nil }
        try Self.publish(server, "Chur-2/online", "offline")
        _ = try await run.wait(for: "the host") { run.lines.contains("host Chur-2 is cut off") ? true : nil }
        server.stop()
        _ = try await run.wait(for: "the end") { run.lines.contains { $0.hasPrefix("no broker: ") } ? true : nil }
        let again = try MosquittoServer(port: server.port)
        try Self.hosts(again)
        _ = try await run.wait(for: "the return") { run.lines.last == "5 hosts at 2 sites: 5 well" ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("a broker that is not there is told of, and the fleet once it is")
    func lateBroker() async throws {
        let port = try FreePort.next()
        let run = try Netwatch.start("fleet", "--broker", "mqtt://127.0.0.1:\(port)")
        _ = try await run.wait(for: "the want") { run.lines.contains { $0.hasPrefix("no broker: ") } ? true : nil }
        let server = try MosquittoServer(port: port)
        try Self.hosts(server)
        _ = try await run.wait(for: "the fleet") { run.lines.last == "5 hosts at 2 sites: 5 well" ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("the table gives the terminal back at Ctrl-Z, and is drawn anew at fg and in a window of another size")
    func suspension() async throws {
        let server = try MosquittoServer()
        try Self.hosts(server)
        let window = try Window("env LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile -i")
        _ = try await window.wait(for: "ready>")
        try window.type("\(Netwatch.path) fleet --broker mqtt://127.0.0.1:\(server.port)")
        #expect(try await !window.wait(for: "5 hosts at 2 sites: 5 well").contains("ready>"))
        _ = try window.tmux("send-keys", "C-z")
        #expect(try await !window.wait(for: "Stopped").contains("5 hosts at 2 sites"))
        try window.type("clear; fg")
        #expect(try await !window.wait(for: "5 hosts at 2 sites: 5 well").contains("ready>"))
        _ = try window.tmux("resize-window", "-x", "30", "-y", "10")
        _ = try await window.wait(for: "…")
        _ = try window.tmux("send-keys", "C-c")
        _ = try await window.wait(for: "ready>")
        try window.type("echo status $?")
        _ = try await window.wait(for: "status 0")
    }

    @Test("status is ended by a signal while it waits for a broker")
    func statusSignal() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let broker = try SocketServer { connection in
            arrived.yield()
            connection.waitForEnd()
        }
        defer { withExtendedLifetime(broker) {} }
        let run = try Netwatch.start(
            "fleet", "status", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--timeout", "20s")
        _ = await arrivals.first { _ in true }
        run.send(SIGTERM)
        #expect(try await run.end() == 128 + SIGTERM)
    }

    @Test("says of a broker that takes the connection and says nothing that it has not answered")
    func muteBroker() async throws {
        let broker = try SocketServer { $0.waitForEnd() }
        defer { withExtendedLifetime(broker) {} }
        let url = "mqtt://127.0.0.1:\(broker.port)"
        let outcome = try await Netwatch.run(["fleet", "status", "--broker", url, "--timeout", "2s"])
        #expect(outcome.status == 6 && outcome.lines.first == "no broker: \(url) has not answered yet", "\(outcome)")
    }

    @Test("says what is wrong with its options, and with the broker")
    func mistakes() async throws {
        #expect(try await Netwatch.run(["fleet"]).status == 64)
        let secret = try await Netwatch.run(["fleet", "--broker", "mqtt://me:secret@b"])
        #expect(secret.status == 64 && !secret.errorText.contains("without a user: secret"))
        for prefix in ["a/#", "", "netwatch/", "/netwatch", "a//b"] {
            let outcome = try await Netwatch.run(["fleet", "status", "--broker", "mqtt://b", "--prefix", prefix])
            #expect(outcome.status == 64 && outcome.errorText.contains("no / at its ends"), "\(outcome)")
        }
        let dead = try FreePort.next()
        let start = ContinuousClock.now
        let none = try await Netwatch.run([
            "fleet", "status", "--broker", "mqtt://127.0.0.1:\(dead)", "--timeout", "2s",
        ])
        #expect(none.status == 6 && none.lines.first?.hasPrefix("no broker: mqtt://127.0.0.1:\(dead)") == true)
        #expect(start.duration(to: .now) < .seconds(30))
        let script = "{ \"$0\" fleet status --broker mqtt://127.0.0.1:\(dead) --timeout 1s; echo $? >&2; } | true"
        let left = try await Netwatch.run(command: ["sh", "-c", script, Netwatch.path])
        #expect(left.errorText == "6\n", "\(left)")
        let endless = try await Netwatch.run(["fleet", "--broker", "mqtt://b", "--timeout", "2s"])
        #expect(endless.status == 64 && endless.errorText.contains("--timeout is for fleet status"), "\(endless)")
    }
}
