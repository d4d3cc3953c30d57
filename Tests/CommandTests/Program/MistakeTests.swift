import Glibc
import History
import SystemPackage
import TestSupport
import Testing

@Suite("A mistake ends with one line that names it and the remedy", .timeLimit(.minutes(2)))
struct MistakeTests {
    @Test(
        "on the command line",
        arguments: [
            (["help", "nope"], "there is no command 'nope'"), (["--jsn"], "Did you mean '--json'?"),
            (["sttus"], "there is no command 'sttus'; there are: status, wait"),
            (["--probe", "example.org"], "write it as http://HOST/PATH"),
            (["--probe", "ftp://example.org/"], "can be probed"),
            (["--probe", "http:///x"], "HOST"), (["--interval", "soon"], "500ms, 3s, 5m or 1h"),
            (["--interval", "0s"], "500ms"), (["--interval", "999h"], "no longer than 168h"),
            (["--timeout"], "Missing value for '--timeout"),
            (["--no-probe", "--probe", "http://a/"], "leave one of them out"),
            (["status", "--no-probe", "-6"], "-6 is for probes, and --no-probe sends none"),
            (["--no-probe", "-6"], "-6 is for probes, and --no-probe sends none: leave one of them out"),
            (["serve", "--check", "--no-probe", "-4"], "-4 is for probes, and --no-probe sends none"),
            (["record", "/dev/null", "--no-probe", "--family", "ipv6"], "--family is for probes, and --no-probe"),
            (["--listen", "19115"], "ADDRESS:PORT"), (["--listen", "::1:19115"], "brackets"),
            (["--listen", "127.0.0.1:99999"], "0 to 65535"),
            (["status", "--listen", "127.0.0.1:0"], "without a subcommand"),
            (["--quiet", "status"], "without a subcommand"),
            (["status", "--jsn"], "Did you mean '--json'?"),
            (["--probe", "http://a/", "--probe", "http://a/", "--json"], "two targets are named 'http://a/'"),
        ])
    func usage(arguments: [String], remedy: String) async throws {
        let outcome = try await Netwatch.run(arguments)
        #expect(outcome.status == 64)
        try Self.expectOneLine(outcome, remedy)
    }

    @Test(
        "in an option that a command does not have, though netwatch itself does",
        arguments: [
            (["events", "--interface", "eth0"], "--interface"), (["reload", "--config", "f"], "--config"),
            (["get", "--json", "http://a/"], "--json"), (["wait", "--json"], "--json"),
            (["get", "--probe-timeout", "1s", "http://a/"], "--probe-timeout"),
            (["replay", "f", "--probe", "http://x/"], "--probe"),
            (["history", "--interval", "5s"], "--interval"), (["history", "--timeout", "5s"], "--timeout"),
            (["fleet", "--broker", "mqtt://b", "--interface", "eth0"], "--interface"),
            (["fleet", "--broker", "mqtt://b", "-4"], "-4"), (["events", "--ca-file", "f"], "--ca-file"),
        ] as [([String], String)])
    func foreignOption(arguments: [String], option: String) async throws {
        let outcome = try await Netwatch.run(arguments)
        #expect(outcome.status == 64)
        try Self.expectOneLine(outcome, "netwatch: \(option) means nothing to this command: leave it out")
    }

    @Test(
        "in options of which one asks a service, and the other says how to look oneself",
        arguments: [
            ["--probe", "http://a/"], ["--alone"], ["--timeout", "1s"], ["--no-default-probes"], ["--each-address"],
            ["--interface", "eth0"], ["--probe-timeout", "1s"],
        ])
    func serviceAndOneself(options: [String]) async throws {
        let outcome = try await Netwatch.run(["status", "--socket", "/does/not/exist"] + options)
        #expect(outcome.status == 64)
        try Self.expectOneLine(outcome, "--socket asks a service, \(options[0]) is for looking oneself")
    }

    @Test("in a value that only the whole configuration refuses")
    func range() async throws {
        let outcome = try await Netwatch.run(["--json", "--timeout", "2h"])
        #expect(outcome.status == 64)
        try Self.expectOneLine(outcome, "timeout is out of range")
    }

    @Test(
        "on the command line, in a sandbox without /proc",
        .enabled(if: TestNamespace.unavailable == nil, "no namespaces here"))
    func withoutProc() async throws {
        let command = ["unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh", Netwatch.path]
        let mistaken = try await Netwatch.run(command: command + ["status", "--jsn"])
        #expect(mistaken.status == 64)
        try Self.expectOneLine(mistaken, "Did you mean '--json'?")
        let version = try await Netwatch.run(command: command + ["--version"])
        #expect(version.status == 0)
        #expect(version.lines.count == 1)
    }

    @Test(
        "in a CA file",
        arguments: [("/does/not/exist", "No such file"), ("/tmp", "Is a directory"), ("/etc/passwd", "no certificate")])
    func caFile(path: String, reason: String) async throws {
        for command in [["--json"], ["status"]] {
            let outcome = try await Netwatch.run(command + ["--no-probe", "--ca-file", path])
            #expect(outcome.status == 66)
            try Self.expectOneLine(outcome, reason)
            try Self.expectOneLine(outcome, path)
        }
    }

    @Test(
        "in the port: another program has it",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
    func portInUse() async throws {
        let server = try SocketServer { _ in }
        let outcome = try await Netwatch.run(["--json", "--no-probe", "--listen", "127.0.0.1:\(server.port)"])
        #expect(outcome.status == 69)
        try Self.expectOneLine(outcome, "another program has this port", "127.0.0.1:\(server.port)")
    }

    @Test("in the address: it is not this host's")
    func foreignAddress() async throws {
        let outcome = try await Netwatch.run(["--json", "--no-probe", "--listen", "198.51.100.7:19115"])
        #expect(outcome.status == 69)
        try Self.expectOneLine(outcome, "this host does not have this address")
    }

    @Test("in the port: it needs a privilege", .enabled(if: getuid() == 0, "only root can give up its privileges"))
    func privilegedPort() async throws {
        let command = ["setpriv", "--reuid", "65534", "--clear-groups", "--inh-caps=-all", Netwatch.path]
        let outcome = try await Netwatch.run(
            command: command + ["--json", "--no-probe", "--listen", "127.0.0.1:80"], in: try TestNamespace())
        #expect(outcome.status == 77)
        try Self.expectOneLine(outcome, "CAP_NET_BIND_SERVICE", "19115")
    }

    @Test("where netlink is forbidden, as in a locked-down container", arguments: [["--json"], ["status"], []])
    func noNetlink(arguments: [String]) async throws {
        let wrapper = Netwatch.file("Tests/Support/Scripts/refusing.py")
        let outcome = try await Netwatch.run(
            command: ["/usr/bin/python3", wrapper, "netlink", Netwatch.path] + arguments + ["--no-probe"])
        #expect(outcome.status == 71)
        try Self.expectOneLine(outcome, "netlink", "AF_NETLINK")
    }

    @Test("where no file can be opened any more: the limit is named, and nothing that is not at fault")
    func noDescriptors() async throws {
        let outcome = try await Netwatch.run(command: [
            "prlimit", "--nofile=10", Netwatch.path, "status", "--no-probe",
        ])
        #expect(outcome.status == 71)
        try Self.expectOneLine(outcome, "ulimit -n")
        #expect(!outcome.errorText.contains("seccomp"), "\(outcome.errorText)")
    }

    @Test("where standard output is closed, or its disk is full")
    func output() async throws {
        let closed = try await Netwatch.run(command: ["sh", "-c", "exec \"$0\" --json --no-probe >&-", Netwatch.path])
        #expect(closed.status == 74)
        try Self.expectOneLine(closed, "standard output is closed", "/dev/null")
        for mode in ["--json", "status"] {
            let full = try await Netwatch.run(
                command: ["sh", "-c", "exec \"$0\" \(mode) --no-probe >/dev/full", Netwatch.path])
            #expect(full.status == 74)
            try Self.expectOneLine(full, "No space left on device")
        }
    }

    @Test(
        "where standard output takes no text that is written at once; where its reader has left, nothing is said",
        arguments: ["--help", "--version", "serve --check --verbose", "history --file \"$1\""])
    func shownOutput(command: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("history.db").string
        let past = try History(.init(path: path, days: 9, size: 8 << 20), statuses: { nil }, tell: { _ in })
        past.put(
            HistoryNote(
                stamp: .now, seq: 1, isTransition: true, isSnapshot: true, connectivity: .up,
                targets: (0..<200).map { (name: "target \($0)", status: .up) }, others: nil,
                line: { Array("{}\n".utf8) }))
        await past.flush(isUrgent: true)
        await past.close()
        let filling = "exec \"$0\" \(command) >/dev/full"
        let full = try await Netwatch.run(command: ["sh", "-c", filling, Netwatch.path, path])
        #expect(full.status == 74)
        try Self.expectOneLine(full, "No space left on device")
        let script = "{ sleep 0.2; \"$0\" \(command); echo $? >&2; } | true"
        let left = try await Netwatch.run(command: ["sh", "-c", script, Netwatch.path, path])
        #expect(left.errorText == "0\n", "\(left)")
    }

    @Test(
        "is none where a reader has left: the status is the answer all the same",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
        arguments: ["explain http://192.0.2.9/", "status --no-probe", "status --socket \"$1\""])
    func answerWithoutReader(command: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("s.sock").string
        let service = try SocketServer(unixSocket: path) { connection in
            connection.readRequest()
            connection.send("HTTP/1.0 200 OK\r\nNetwatch-Exit-Status: 4\r\n\r\nnone\n")
        }
        defer { withExtendedLifetime(service) {} }
        let namespace = try TestNamespace()
        let read = try await Netwatch.run(
            command: ["sh", "-c", "\"$0\" \(command)", Netwatch.path, path], in: namespace)
        #expect(read.status != 0 && !read.lines.isEmpty, "\(read)")
        let script = "{ sleep 0.2; \"$0\" \(command); echo $? >&2; } | true"
        let left = try await Netwatch.run(command: ["sh", "-c", script, Netwatch.path, path], in: namespace)
        #expect(left.errorText == "\(read.status)\n", "\(left)")
    }

    @Test("where the log of a service takes nothing: it is told once, and the service goes on")
    func fullLog() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "service: {listen: [], socket: \(folder.path)/s, history: false}\n".utf8, to: "n.yaml")
        let uplink = try Uplink()
        let run = try ProgramRun(
            ["sh", "-c", "exec \"$0\" serve --config \(file) --no-probe >/dev/full", Netwatch.path],
            in: uplink.namespace)
        _ = try await run.wait(for: "the word") {
            run.errorText.contains("cannot write to standard output: No space left on device") ? true : nil
        }
        try uplink.connect()
        _ = try await run.wait(for: "the change") {
            let status = try? Command.run([
                "curl", "-s", "--unix-socket", "\(folder.path)/s", "http://localhost/status",
            ])
            return status?.contains("\"reachability\":\"ethernet\"") == true ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(run.errorText.ranges(of: "No space left on device").count == 1, "\(run.errorText)")
    }

    @Test(
        "where what is printed does not fit on the disk",
        arguments: ["--version", "--help", "help get", "--generate-completion-script bash", "serve --check --verbose"])
    func printing(arguments: String) async throws {
        let full = try await Netwatch.run(
            command: ["sh", "-c", "exec \"$0\" \(arguments) >/dev/full", Netwatch.path])
        #expect(full.status == 74)
        try Self.expectOneLine(full, "No space left on device")
    }

    @Test("where a file has come to the limit of this process", arguments: ["--json", "status"])
    func fileLimit(mode: String) async throws {
        let folder = try TemporaryFolder()
        let script = "ulimit -f 0; exec \"$0\" \(mode) --no-probe >\(folder.path)/out"
        // Standard error is such a file here, too.
        #expect(try await Netwatch.run(command: ["sh", "-c", script, Netwatch.path]).status == 74)
    }

    @Test("where too few descriptors may be open to serve", arguments: [10, 12, 23, 28, 39])
    func fewDescriptors(limit: Int) async throws {
        let outcome = try await Netwatch.run(command: [
            "prlimit", "--nofile=\(limit)", Netwatch.path, "--json", "--no-probe", "--listen", "127.0.0.1:0",
        ])
        #expect(outcome.status == 71)
        try Self.expectOneLine(outcome, "ulimit -n")
    }

    @Test("where too few descriptors may be open for all that a service is to do: with as many as it names it does")
    func fewestDescriptors() async throws {
        let folder = try TemporaryFolder()
        let yaml = """
            defaultProbes: false
            interval: 1s
            targets: [{name: shop, url: "http://127.0.0.1:9/"}]
            service:
              listen: 127.0.0.1:0
              socket: \(folder.path)/s
              history: {path: \(folder.path)/h.db}
              hooks: [{command: [/bin/true]}]
              webhooks: [{url: "http://127.0.0.1:9/"}]
              push: {url: "http://127.0.0.1:9", format: otlp}
              mqtt: {brokers: ["mqtt://127.0.0.1:9"]}
            """
        let file = try folder.write(yaml.utf8, to: "n.yaml").string
        func command(_ limit: Int) -> [String] {
            ["prlimit", "--nofile=\(limit)", Netwatch.path, "serve", "--config", file]
        }
        let refused = try await Netwatch.run(command: command(44))
        #expect(refused.status == 71)
        try Self.expectOneLine(refused, "ulimit -n")
        let needed = try #require(refused.errorText.firstMatch(of: /to serve needs (\d+);/).flatMap { Int($0.1) })
        #expect(try await Netwatch.run(command: command(needed - 1)).status == 71)
        let run = try ProgramRun(command(needed))
        _ = try await run.wait(for: "an answer, and a hook") {
            let answer = try? Command.run([
                "curl", "-s", "--unix-socket", "\(folder.path)/s", "http://localhost/readyz",
            ])
            return answer == "ok" && run.errorText.contains("/bin/true does its work") ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(!run.errorText.contains("Too many open files"), "\(run.errorText)")
    }

    @Test(
        "in a time that is out of range: the option is named",
        arguments: [["--probe-timeout", "2h"], ["--probe-timeout", "0.5ms"], ["--interval", "1e-9s"]])
    func times(arguments: [String]) async throws {
        let outcome = try await Netwatch.run(["status"] + arguments)
        #expect(outcome.status == 64)
        try Self.expectOneLine(outcome, arguments[0])
    }

    private static func expectOneLine(_ outcome: Netwatch.Outcome, _ parts: String...) throws {
        #expect(outcome.errorText.hasPrefix("netwatch: "))
        #expect(outcome.errorText.hasSuffix("\n"))
        #expect(outcome.errorText.filter { $0 == "\n" }.count == 1, "\(outcome.errorText)")
        for part in parts { #expect(outcome.errorText.contains(part), "\(outcome.errorText)") }
    }
}
