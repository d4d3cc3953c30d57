import Foundation
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch serve", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct ServeTests {
    /// A service in a namespace of its own, and its file.
    private struct Service {
        let uplink: Uplink
        let folder: TemporaryFolder
        let run: ProgramRun

        var file: String { folder.path.appending("netwatch.yaml").string }
        var socket: String { folder.path.appending("s.sock").string }

        init(
            _ yaml: String, listen: String = "127.0.0.1:0", section: String = "", environment: [String] = [],
            in folder: TemporaryFolder? = nil
        ) async throws {
            uplink = try Uplink()
            let folder = try folder ?? TemporaryFolder()
            self.folder = folder
            let file = folder.path.appending("netwatch.yaml").string
            let socket = folder.path.appending("s.sock").string
            try Self.write(yaml + "service:\n  listen: \(listen)\n  socket: \(socket)\n" + section, to: file)
            run = try ProgramRun(
                ["env"] + environment + [Netwatch.path, "serve", "--config", file, "--no-probe"], in: uplink.namespace)
            let run = run
            _ = try await run.wait(for: "the socket") {
                run.errorText.contains("listening on unix:\(socket)\n") ? true : nil
            }
            _ = try await run.line(0)
        }

        func change(_ yaml: String, listen: String = "127.0.0.1:0", section: String = "") throws {
            try Self.write(yaml + "service:\n  listen: \(listen)\n  socket: \(socket)\n" + section, to: file)
        }

        private static func write(_ text: String, to path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
        }

        func get(_ path: String, _ options: String...) throws -> String {
            try Command.run(
                ["curl", "-s", "-m", "20", "--unix-socket", socket] + options + ["http://localhost/\(path)"])
        }

        func reload() async throws -> Netwatch.Outcome {
            try await Netwatch.run(["reload", "--socket", socket])
        }

        /// The address that it listens on over TCP.
        var base: String {
            let address = run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) } ?? ""
            return address.replacing("0.0.0.0", with: "127.0.0.1")
        }

        func code(_ path: String, _ options: String...) throws -> String {
            let command = ["curl", "-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_code}"] + options
            return try Command.run(
                ["nsenter", "--net=\(uplink.namespace.path)", "--"] + command + ["\(base)\(path)"])
        }

        /// What a program of peers prints that ask by TCP and at the Unix socket, and do not end their requests at once.
        func run(peers script: String) throws -> String {
            let port = try #require(base.firstMatch(of: /:(\d+)\//).map { String($0.1) })
            let means = """
                import os, signal, socket, sys, time
                def ask(by, address):
                    s = socket.socket(by); s.settimeout(20); s.connect(address); s.sendall(b"GET /livez HTTP/1.0\\r\\n"); return s
                def answer(s):
                    try: s.sendall(b"\\r\\n"); return s.recv(1000).split(b"\\r")[0].decode()
                    except ConnectionError: return "reset"
                tcp = (socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))); unix = (socket.AF_UNIX, sys.argv[2])
                service = int(sys.argv[3])

                """
            return try Command.run([
                "nsenter", "--net=\(uplink.namespace.path)", "--", "python3", "-c", means + script, port, socket,
                "\(run.processID)",
            ])
        }
    }

    @Test("a reload tells what has changed, and a bad file changes nothing")
    func reload() async throws {
        let service = try await Service("interval: 30s\n")
        #expect(try await service.reload().lines == ["nothing has changed"])
        try service.change(
            "interval: 45s\ntargets:\n  - {name: shop, url: http://192.0.2.9/}\n",
            section: "  maximumConnections: 9\n")
        let good = try await service.reload()
        #expect(good.lines.contains("interval: 30s → 45s") && good.lines.contains("target shop added"))
        #expect(good.lines.contains("service.maximumConnections: 256 → 9 (after a restart)"), "\(good.lines)")
        #expect(try service.get("metrics").contains("netwatch_config_last_reload_successful 1\n"))
        try service.change("intervall: 1s\n")
        let bad = try await service.reload()
        #expect(bad.status == 78)
        #expect(bad.errorText.contains("netwatch.yaml:1:1: "), "\(bad.errorText)")
        // One rendering serves all who ask within a tenth of a second.
        try await Task.sleep(for: .milliseconds(300))
        #expect(try service.get("metrics").contains("netwatch_config_last_reload_successful 0\n"))
        #expect(service.run.errorText.contains("configuration: refused: "))
        try service.change("interval: 45s\ntargets:\n  - {name: shop, url: http://192.0.2.9/, interval: 5s}\n")
        service.run.send(SIGHUP)
        _ = try await service.run.wait(for: "the reload") {
            service.run.errorText.contains("configuration: target shop interval: default → 5s") ? true : nil
        }
        service.run.send(SIGTERM)
        #expect(try await service.run.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: service.socket))
    }

    @Test("only the Unix socket reloads, by POST, and its group may ask")
    func socket() async throws {
        let service = try await Service("")
        #expect(try service.get("livez") == "ok")
        #expect(try service.get("reload").contains("only POST"))
        #expect(try service.code("reload", "-X", "POST") == "405" || service.code("reload", "-X", "POST") == "404")
        let mode = try FileManager.default.attributesOfItem(atPath: service.socket)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        let second = try await Netwatch.run(["serve", "--config", service.file, "--no-probe"])
        #expect(second.status == 69)
        #expect(second.errorText.contains("another netwatch serves there"), "\(second.errorText)")
        #expect(try service.get("livez") == "ok")
    }

    @Test("a crowd that comes by TCP drives nobody off the Unix socket, and one at the socket nobody but its own")
    func crowd() async throws {
        let service = try await Service("", section: "  maximumConnections: 8\n")
        let said = try service.run(
            peers: """
                def stands(one, others):
                    # A request may take ten seconds, in which a busy machine does not get as far as the answer.
                    for _ in range(5):
                        began = time.monotonic()
                        first = ask(*one); crowd = [ask(*others) for _ in range(40)]; time.sleep(0.5); said = answer(first)
                        if time.monotonic() - began < 8: return said
                print(stands(unix, tcp)); print(stands(tcp, unix))
                """)
        #expect(said == "HTTP/1.1 200 OK\nHTTP/1.1 200 OK\n")
    }

    @Test("peers that have gone make room before one that has just come")
    func gonePeers() async throws {
        let service = try await Service("", section: "  maximumConnections: 8\n")
        let said = try service.run(
            peers: """
                def round():
                    began = time.monotonic()
                    gone = [ask(*tcp) for _ in range(20)]; time.sleep(0.2)
                    # What comes while the service stands still it finds all at once.
                    os.kill(service, signal.SIGSTOP)
                    for s in gone: s.close()
                    first = ask(*tcp); crowd = [ask(*unix) for _ in range(40)]
                    os.kill(service, signal.SIGCONT)
                    time.sleep(0.2); said = answer(first)
                    # A request may take ten seconds.
                    return said if time.monotonic() - began < 8 else None
                print(*set(filter(None, (round() for _ in range(16)))))
                """)
        #expect(said == "HTTP/1.1 200 OK\n")
    }

    @Test("a socket's path has 1 to 103 bytes: with them the service starts, and any other is a mistake of the file")
    func socketPaths() async throws {
        let (uplink, folder) = (try Uplink(), try TemporaryFolder())
        func file(_ socket: String) throws -> String {
            try folder.write("service: {listen: [], socket: \(socket)}\n".utf8, to: "netwatch.yaml").string
        }
        let short = folder.path.appending("s").string
        let longest = short + String(repeating: "s", count: 103 - short.utf8.count)
        for socket in ["''", longest + "s"] {
            let refused = try await Netwatch.run(["serve", "--check", "--config", try file(socket)])
            #expect(refused.status == 78)
            #expect(refused.errorText.contains("netwatch.yaml:1:31: "), "\(refused.errorText)")
            #expect(refused.errorText.contains("a path of 1 to 103 bytes"), "\(refused.errorText)")
        }
        let command = [Netwatch.path, "serve", "--no-probe", "--config", try file(longest)]
        let run = try ProgramRun(command, in: uplink.namespace)
        _ = try await run.wait(for: "the socket") {
            run.errorText.contains("listening on unix:\(longest)\n") ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("a socket that a killed service left is used again")
    func staleSocket() async throws {
        let service = try await Service("")
        service.run.send(SIGKILL)
        _ = try await service.run.end()
        #expect(FileManager.default.fileExists(atPath: service.socket))
        let next = try ProgramRun(
            [Netwatch.path, "serve", "--config", service.file, "--no-probe"], in: service.uplink.namespace)
        _ = try await next.wait(for: "the socket") { next.errorText.contains("listening on unix:") ? true : nil }
        #expect(try service.get("livez") == "ok")
    }

    @Test("a token is asked for over TCP, a configured host is answered, and both change with a reload")
    func access() async throws {
        let folder = try TemporaryFolder()
        let token = try folder.write("first-token\n".utf8, to: "token").string
        let service = try await Service("", section: "  tokenFile: \(token)\n  hosts: [one.example]\n")
        let header = ["-H", "Authorization: Bearer first-token"]
        #expect(try service.code("livez") == "401")
        #expect(try service.code("livez", "-H", "Authorization: Bearer first-tokem") == "401")
        #expect(try service.code("livez", header[0], header[1]) == "200")
        #expect(try service.code("livez", header[0], header[1], "-H", "Host: one.example") == "200")
        #expect(try service.code("livez", header[0], header[1], "-H", "Host: two.example") == "421")
        #expect(try service.get("livez") == "ok")
        _ = try folder.write("other-token\n".utf8, to: "token")
        try service.change("", section: "  tokenFile: \(token)\n  hosts: [two.example]\n")
        let outcome = try await service.reload()
        #expect(outcome.lines.contains("service.tokenFile: another token is in it"), "\(outcome.lines)")
        #expect(try service.code("livez", header[0], header[1]) == "401")
        let other = "Authorization: Bearer other-token"
        #expect(try service.code("livez", "-H", other, "-H", "Host: two.example") == "200")
        #expect(!service.run.errorText.contains("other-token"))
    }

    @Test("a listener that stays until a restart keeps its token until then, or until it may be open to all")
    func stayingListener() async throws {
        let folder = try TemporaryFolder()
        let token = try folder.write("first-token\n".utf8, to: "token").string
        let service = try await Service("", listen: "0.0.0.0:0", section: "  tokenFile: \(token)\n")
        #expect(try service.code("livez") == "401")
        try service.change("")
        for _ in 1...2 {
            let outcome = try await service.reload()
            #expect(
                outcome.lines.contains("service.tokenFile: \(token) → none (after a restart)"), "\(outcome.lines)")
            #expect(try service.code("livez") == "401")
            #expect(try service.code("livez", "-H", "Authorization: Bearer first-token") == "200")
        }
        try service.change("", listen: "0.0.0.0:0", section: "  openToAll: true\n")
        let opened = try await service.reload()
        #expect(opened.lines.contains("service.tokenFile: \(token) → none"), "\(opened.lines)")
        #expect(try service.code("livez") == "200")
    }

    @Test("a reload that is refused for want of descriptors has changed nothing of what is watched")
    func refusedForWant() async throws {
        let service = try await Service("")
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.run.processID)/fd")
            .compactMap { Int($0) }
        // One more may be open: enough to read the file, and too few for the loop of the hook.
        let most = try #require((0..<4096).filter { !used.contains($0) }.dropFirst().first)
        try service.change(
            "targets:\n  - {name: shop, url: http://192.0.2.9/}\n", section: "  hooks: [{command: [/bin/true]}]\n")
        try Command.run(["prlimit", "--pid", "\(service.run.processID)", "--nofile=\(most):"])
        service.run.send(SIGHUP)
        _ = try await service.run.wait(for: "the refusal") {
            service.run.errorText.contains("configuration: refused: ") ? true : nil
        }
        try Command.run(["prlimit", "--pid", "\(service.run.processID)", "--nofile=\(most + 32):"])
        #expect(try !service.get("metrics").contains("target=\"shop\""))
        #expect(try await service.reload().lines.contains("target shop added"))
    }

    @Test("a log whose disk fills within a line has that line as a whole once there is room")
    func fullWithinLine() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path.appending("log").string
        let yaml = "service:\n  listen: []\n  socket: \(folder.path.appending("s.sock").string)\n"
        let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
        let most = 300
        let script = "exec prlimit --fsize=\(most): \"$0\" serve --config \"$1\" --no-probe --json > \"$2\""
        let uplink = try Uplink()
        let run = try ProgramRun(["sh", "-c", script, Netwatch.path, file, log], in: uplink.namespace)
        func text() -> String {
            String(decoding: (try? Data(contentsOf: URL(filePath: log))) ?? Data(), as: UTF8.self)
        }
        _ = try await run.wait(for: "the full disk") { text().utf8.count == most ? true : nil }
        try Command.run(["prlimit", "--pid", "\(run.processID)", "--fsize=unlimited:"])
        let lines = try await run.wait(for: "the line") {
            text().hasSuffix("\n") ? text().split(separator: "\n") : nil
        }
        try #require(lines.count > 1)
        #expect(lines[0].utf8.count == most && lines[1].hasPrefix(lines[0]))
        _ = try JSONSerialization.jsonObject(with: Data(lines[1].utf8))
    }

    @Test("--check says what is wrong and starts nothing; with --verbose each value has its place")
    func check() async throws {
        let folder = try TemporaryFolder()
        let good = try folder.write("interval: 7s\n".utf8, to: "good.yaml").string
        let outcome = try await Netwatch.run(["serve", "--config", good, "--check", "--verbose", "--interval", "8s"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains("interval: 8s  (--interval)"), "\(outcome.lines)")
        #expect(try await Netwatch.run(["serve", "--config", good, "--check"]).lines == [])
        let silent = try folder.write("probes: false\ndefaultProbes: true\n".utf8, to: "silent.yaml").string
        let options = ["--probe", "http://shop.test/", "--no-default-probes", "--interface", "eth0", "--each-address"]
        let origins = try await Netwatch.run(["serve", "--config", silent, "--check", "--verbose"] + options)
        for line in [
            "probes: true  (--probe)", "defaultProbes: false  (--no-default-probes)",
            "targets[0].url: http://shop.test/  (--probe)", "targets[0].interface: eth0  (--interface)",
            "targets[0].eachAddress: true  (--each-address)",
        ] {
            #expect(origins.lines.contains(line), "\(line) is not in \(origins)")
        }
        let twice = ["--probe", "http://shop.test/", "--probe", "http://shop.test/"]
        let doubled = try await Netwatch.run(["serve", "--config", good, "--check"] + twice)
        #expect(doubled.status == 64 && doubled.errorText.contains("two targets are named"), "\(doubled)")
        let bad = try folder.write("a: 1\n".utf8, to: "bad.yaml").string
        let refused = try await Netwatch.run(["serve", "--config", bad, "--check"])
        #expect(refused.status == 78)
        #expect(refused.errorText.hasPrefix("netwatch: \(bad):1:1: "), "\(refused.errorText)")
    }

    @Test("a reload that no service answers is 69")
    func noService() async throws {
        let outcome = try await Netwatch.run(["reload", "--socket", "/does/not/exist.sock"])
        #expect(outcome.status == 69)
        #expect(outcome.errorText.contains("start netwatch serve"), "\(outcome.errorText)")
    }

    @Test("the service's manager is told when it is ready, how it does, that its loop turns, reloads and stops")
    func notification() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("notify").string
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)
            while True: print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
            """
        let manager = try ProgramRun(["/usr/bin/python3", "-c", script, path])
        _ = try await manager.line(0)
        let service = try await Service(
            "", environment: ["NOTIFY_SOCKET=\(path)", "WATCHDOG_USEC=200000"])
        func told(_ words: String) async throws {
            _ = try await manager.wait(for: words) { manager.lines.contains { $0.contains(words) } ? true : nil }
        }
        try await told("READY=1|STATUS=none")
        try service.uplink.connect()
        try await told("STATUS=ethernet via up0")
        try await told("WATCHDOG=1")
        _ = try await service.reload()
        try await told("RELOADING=1|MONOTONIC_USEC=")
        try await told("READY=1|STATUS=ethernet via up0")
        service.run.send(SIGTERM)
        try await told("STOPPING=1")
        #expect(try await service.run.end() == 0)
        #expect(
            manager.lines.first { $0 != "bound" && $0 != "WATCHDOG=1" }?.hasPrefix("READY=1") == true,
            "\(manager.lines)")
    }

    @Test("the service's manager is told that it is ready when it answers, and not before", arguments: 1...5)
    func readiness(attempt: Int) async throws {
        let folder = try TemporaryFolder()
        let paths = ["notify", "s.sock"].map { folder.path.appending($0).string }
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)
            while not s.recv(4096).startswith(b"READY=1"): pass
            c = socket.socket(socket.AF_UNIX); c.settimeout(20); c.connect(sys.argv[2])
            c.sendall(b"GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"); print(c.recv(15).decode(), flush=True)
            """
        let manager = try ProgramRun(["/usr/bin/python3", "-c", script] + paths)
        _ = try await manager.line(0)
        let service = try await Service("", environment: ["NOTIFY_SOCKET=\(paths[0])"], in: folder)
        #expect(try await manager.line(1) == "HTTP/1.1 200 OK", "\(manager.errorText)")
        withExtendedLifetime(service) {}
    }

    @Test("goes on, and ends in time, where standard error takes nothing")
    func blockedErrors() async throws {
        let (namespace, folder) = (try TestNamespace(), try TemporaryFolder())
        try namespace.ip("link set lo up")
        let pipe = folder.path.appending("errors").string
        let file = try folder.write("service: {listen: 127.0.0.1:9000, socket: none}\n".utf8, to: "a.yaml").string
        // Both ends are held by the program itself, and what the pipe holds is there already.
        let script = """
            mkfifo "$1" && exec 3<>"$1" && head -c 65536 /dev/zero >&3 && exec "$2" serve --no-probe --config "$3" 2>&3
            """
        let run = try ProgramRun(["bash", "-c", script, "bash", pipe, Netwatch.path, file], in: namespace)
        _ = try await run.line(0)
        func isLive() -> Bool {
            (try? namespace.run(arguments: ["curl", "-sf", "-m", "5", "http://127.0.0.1:9000/livez"])) != nil
        }
        _ = try await run.wait(for: "the service") { isLive() ? true : nil }
        _ = try folder.write("interval: nonsense\n".utf8, to: "a.yaml")
        for _ in 0..<3 { run.send(SIGHUP) }
        try await Task.sleep(for: .seconds(1))
        _ = try await run.wait(for: "the service") { isLive() ? true : nil }
        run.send(SIGTERM)
        #expect(try await run.end(within: .seconds(15)) == 0)
    }

    @Test("writes all events to a log whose reader is late, each of them whole")
    func lateReader() async throws {
        let (namespace, folder) = (try TestNamespace(), try TemporaryFolder())
        let targets = (0..<4000).map { "{url: 'http://192.0.2.1/\($0)', name: target-number-\($0)}" }
        let yaml = "targets: [\(targets.joined(separator: ", "))]\nservice: {listen: '127.0.0.1:0', socket: none}\n"
        let file = try folder.write(yaml.utf8, to: "a.yaml").string
        let run = try ProgramRun(
            [
                "bash", "-c", "exec \"$1\" serve --json --config \"$2\" > >(sleep 4; exec cat)", "bash", Netwatch.path,
                file,
            ],
            in: namespace)
        try await Task.sleep(for: .seconds(2))
        for number in 0..<5 {
            try namespace.ip("link add a\(number) type veth peer name b\(number)\nlink set a\(number) up")
            try namespace.ip("address add 198.51.\(number).2/24 dev a\(number)\nlink set b\(number) up")
        }
        try namespace.ip("route add default via 198.51.0.1 dev a0")
        _ = try await run.line(within: .seconds(60)) { $0.contains("\"reachability\":\"ethernet\"") }
        struct Line: Decodable { let seq: UInt64 }
        let numbers = try run.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).seq }
        let first = try #require(numbers.first)
        #expect(numbers == (0..<UInt64(numbers.count)).map { first + $0 }, "\(numbers)")
    }
}
