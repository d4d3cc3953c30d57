import Foundation
import Netwatch
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite(
    "Hooks and webhooks of the service", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct TellingTests {
    private let uplink: Uplink
    private let folder: TemporaryFolder

    init() throws {
        (uplink, folder) = (try Uplink(), try TemporaryFolder())
    }

    private func configure(_ section: String) throws -> String {
        let yaml = """
            service:
              listen: 127.0.0.1:0
              socket: \(folder.path.appending("s.sock").string)
              history: {path: \(folder.path.appending("history.db").string)}
              name: router-7
            \(section)
            """
        return try folder.write(yaml.utf8, to: "netwatch.yaml").string
    }

    /// - Parameter python: What Python does before it becomes the program.
    private func serve(_ section: String, after python: String? = nil) throws -> ProgramRun {
        let program = [Netwatch.path, "serve", "--config", try configure(section), "--no-probe"]
        let become = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
        let start = python.map { ["/usr/bin/python3", "-c", "\($0); \(become)"] } ?? []
        return try ProgramRun(start + program, in: uplink.namespace)
    }

    private func content(_ name: String) -> String {
        (try? String(contentsOfFile: folder.path.appending(name).string, encoding: .utf8)) ?? ""
    }

    private func script(_ text: String, _ name: String) throws -> String {
        let file = try folder.write("#!/bin/sh\n\(text)\n".utf8, to: name).string
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return file
    }

    private func flap() throws {
        try uplink.namespace.ip(
            """
            link set up0 down
            link set up0 up
            route add default via 192.0.2.1 dev up0
            """)
    }

    @Test(
        "a hook is run for each change, and another configuration takes it away or brings another",
        .timeLimit(.minutes(2)))
    func hooks() async throws {
        let first = try script("cat >> \(folder.path)/first; echo done", "first.sh")
        let second = try script("cat >> \(folder.path)/second; exit 4", "second.sh")
        let run = try serve("  hooks: [{command: [\(first)], kinds: [transition]}]")
        let base = try await run.wait(for: "the address") {
            run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
        _ = try await run.line(0)
        try uplink.connect()
        _ = try await run.wait(for: "the hook") {
            content("first").contains("\"reachability\":\"ethernet\"") ? true : nil
        }
        #expect(try Netwatch.validate(content("first").split(separator: "\n").map(String.init)))
        _ = try await run.wait(for: "its output") {
            run.errorText.contains("netwatch: hook-first.sh: done\n") ? true : nil
        }
        let ready = try uplink.namespace.run("curl", "-s", "\(base)readyz?verbose")
        #expect(ready.contains("export-hook-first.sh") && ready.contains("does its work"), "\(ready)")
        let metrics = try uplink.namespace.run("curl", "-s", "\(base)metrics")
        #expect(metrics.contains("netwatch_export_up{exporter=\"hook-first.sh\"} 1"), "\(metrics)")

        _ = try configure("  hooks: [{command: [\(second)]}]")
        run.send(SIGHUP)
        _ = try await run.wait(for: "the reload") {
            run.errorText.contains("configuration: service.hooks[0].command") ? true : nil
        }
        let before = content("first")
        try flap()
        _ = try await run.wait(for: "the other hook") {
            run.errorText.contains("second.sh ends with the status 4") ? true : nil
        }
        #expect(content("first") == before && !run.errorText.contains("(after a restart)"))
        let later = try uplink.namespace.run("curl", "-s", "\(base)metrics")
        #expect(!later.contains("netwatch_export_up{exporter=\"hook-first.sh\"}"), "\(later)")
        #expect(later.contains("netwatch_export_sent_total{exporter=\"hook-first.sh\"} "), "\(later)")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("a hook that another configuration has too goes on with what waits for it", .timeLimit(.minutes(2)))
    func reload() async throws {
        let slow = try script("echo $NETWATCH_SEQ >> \(folder.path)/slow; sleep 0.5", "slow.sh")
        let run = try serve("  hooks: [{command: [\(slow)]}]")
        _ = try await run.line(0)
        try uplink.connect()
        for number in 2...6 {
            let count = run.lines.count
            try uplink.namespace.ip("route replace default via 192.0.2.\(number + 100) dev up0")
            _ = try await run.wait(for: "event \(number)") { run.lines.count > count ? true : nil }
        }
        _ = try configure("  hooks: [{command: [/bin/true]}, {command: [\(slow)]}]")
        run.send(SIGHUP)
        _ = try await run.wait(for: "the reload") {
            run.errorText.contains("configuration: service.hooks") ? true : nil
        }
        let count = run.lines.count
        let numbers = try await run.wait(for: "all of them") { () -> [Int]? in
            let numbers = content("slow").split(separator: "\n").compactMap { Int($0) }
            return numbers.count >= count ? numbers : nil
        }
        #expect(numbers == Array(Set(numbers)).sorted() && numbers.first == 1, "\(numbers)")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("the name of one that another configuration takes away is free for the next", .timeLimit(.minutes(2)))
    func names() async throws {
        let telling = Telling(
            origin: EventOrigin(id: "5c1a", name: "router-7", labels: [:], epoch: 7), history: nil,
            monitor: ConnectivityMonitor())
        func change(_ paths: String...) throws -> [String] {
            var service = ServiceConfiguration()
            for path in paths {
                service.webhooks.append(WebhookSettings(url: try #require(URL(string: "http://127.0.0.1:9/\(path)"))))
            }
            try telling.change(to: service)
            return telling.health.map(\.name)
        }
        let (first, second) = ("webhook-127.0.0.1", "webhook-127.0.0.1-2")
        #expect(try change("a", "b") == [first, second])
        #expect(try change("set-right", "b") == [first, second])
        #expect(try change("b") == [second])
        #expect(try change("b", "c") == [second, first])
        await telling.finish()
    }

    @Test("the end waits for a hook that runs, and not for long", .timeLimit(.minutes(2)))
    func end() async throws {
        let slow = try script("echo $$ > \(folder.path)/id; trap '' TERM; while :; do sleep 1; done", "slow.sh")
        let run = try serve("  hooks: [{command: [\(slow)], timeout: 60s}]")
        let id = try await run.wait(for: "the hook") {
            content("id").split(separator: "\n").first.flatMap { pid_t($0) }
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(kill(id, 0) != 0)
    }

    @Test("what a hook leaves behind is no zombie where the service is the parent of it", .timeLimit(.minutes(2)))
    func zombies() async throws {
        let leave = try script("sleep 600 & echo $! > \(folder.path)/left", "leave.sh")
        // PR_SET_CHILD_SUBREAPER: what has lost its parent is its child, as with the first process of a container.
        let run = try serve(
            "  hooks: [{command: [\(leave)]}]", after: "import ctypes; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)")
        let id = try await run.wait(for: "the hook") {
            content("left").hasSuffix("\n") ? pid_t(content("left").dropLast()) : nil
        }
        _ = try await run.wait(for: "the end of \(id)") { kill(id, 0) != 0 ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("how a hook ends is seen though SIGCHLD was ignored when the service was started", .timeLimit(.minutes(2)))
    func ignoredEnds() async throws {
        let hook = try script("exit 4", "four.sh")
        let run = try serve(
            "  hooks: [{command: [\(hook)]}]",
            after: "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)")
        let line = try await run.wait(for: "the run") {
            run.errorText.split(separator: "\n").first { $0.contains("four.sh ") }.map(String.init)
        }
        #expect(line.hasSuffix("four.sh ends with the status 4"), "\(line)")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test(
        "after kill -9 a webhook goes on where it was: none missing, in order",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(3)))
    func kill9() async throws {
        let port = try FreePort.next()
        let section = "  webhooks: [{url: 'http://127.0.0.1:\(port)/hook'}]"
        var run = try serve(section)
        _ = try await run.line(0)
        try uplink.connect()
        _ = try await run.wait(for: "the transition") { run.lines.contains { $0.contains("ethernet") } ? true : nil }
        _ = try await run.wait(for: "a failed try") { run.errorText.contains("webhook-127.0.0.1: ") ? true : nil }
        // What is kept within a second.
        _ = try await run.wait(for: "the history") {
            try Int(history("SELECT count(*) FROM event")).flatMap { $0 >= 2 ? true : nil }
        }
        run.send(SIGKILL)
        _ = try await run.end()
        let server = try NginxServer(
            in: uplink.namespace,
            servers: """
                log_format ids '$http_idempotency_key $status';
                server {
                    listen \(port);
                    location / { proxy_pass http://127.0.0.1:\(port)/taken; access_log \(folder.path)/ids ids; }
                    location /taken { return 204; access_log off; }
                }
                """)
        run = try serve(section)
        _ = try await run.line(0)
        try flap()
        // All that both runs have kept, in its order, and no more.
        let ids = try await run.wait(for: "the last event") { () -> [String]? in
            let ids = content("ids").split(separator: "\n").map { String($0.prefix { $0 != " " }) }
            guard run.lines.count >= 3, Set(ids.compactMap { $0.split(separator: "-").first }).count == 2 else {
                return nil
            }
            return try ids
                == history("SELECT group_concat(run || '-' || seq, ' ') FROM (SELECT * FROM event ORDER BY run, seq)")
                .split(separator: " ").map(String.init) ? ids : nil
        }
        #expect(ids.count >= 4 && !ids.contains { $0.hasPrefix("gap") }, "\(ids)")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        withExtendedLifetime(server) {}
    }

    private func history(_ question: String) throws -> String {
        let script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])"
        let file = folder.path.appending("history.db").string
        return try Command.run(["/usr/bin/python3", "-c", script, file, question]).trimmingCharacters(in: .newlines)
    }

    @Test(
        "an Alertmanager hears of what is down, and that it is over",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prometheus-alertmanager"),
            "Alertmanager is not installed"), .timeLimit(.minutes(3)))
    func alertmanager() async throws {
        let port = try FreePort.next()
        let file = try folder.write("route: {receiver: none}\nreceivers: [{name: none}]\n".utf8, to: "a.yml").string
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        let server = try BackgroundProcess(
            enter + [
                "prometheus-alertmanager", "--config.file=\(file)", "--storage.path=\(folder.path)/a",
                "--web.listen-address=127.0.0.1:\(port)", "--cluster.listen-address=",
            ])
        let run = try serve("  webhooks: [{url: 'http://127.0.0.1:\(port)', format: alertmanager}]")
        let url = "http://127.0.0.1:\(port)/api/v2/alerts"
        func alerts() -> String { (try? Command.run(enter + ["curl", "-s", "-m", "5", url])) ?? "" }
        let alert = try await run.wait(for: "the alert", within: .seconds(60)) {
            let text = alerts()
            return text.contains("NetwatchHostDown") ? text : nil
        }
        #expect(alert.contains("\"instance\":\"router-7\"") && alert.contains("there is no path"), "\(alert)")
        try uplink.connect()
        _ = try await run.wait(for: "its end", within: .seconds(60)) { alerts().hasPrefix("[]") ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        withExtendedLifetime(server) {}
    }
}
