import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch --json", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct EventStreamTests {
    @Test("writes the state, then one line for each change, as the shipped schema says")
    func changes() async throws {
        let uplink = try Uplink()
        let run = try Netwatch.start("--json", "--no-probe", in: uplink.namespace)
        let first = try JSONLine(await run.line(0))
        #expect(first.kind == "snapshot")
        #expect(first.reachability == "none")
        #expect(first.from == nil)

        try uplink.connect()
        let second = try JSONLine(await run.line { (try? JSONLine($0))?.kind == "transition" })
        #expect(second.from == first.to)
        #expect(second.reachability == "ethernet")
        #expect(second.to.interfaces == ["up0"])

        try uplink.namespace.ip("link set far0 down")
        let third = try JSONLine(
            await run.line { (try? JSONLine($0)).map { $0.kind == "transition" && $0.seq > second.seq } ?? false })
        #expect(third.reachability == "none")
        #expect(third.from == second.to)
        #expect(third.cause.interface == "up0")

        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
        let lines = try run.lines.map { try JSONLine($0) }
        #expect(lines.map(\.seq) == Array(1...UInt64(lines.count)))
        #expect(lines.count { $0.kind == "transition" } == 2)
        #expect(lines.allSatisfy { ["snapshot", "transition", "path"].contains($0.kind) && $0.path != nil })
        try Self.validate(run.lines)
        #expect(try Command.run(["jq", "-r", ".reachability"], input: run.lines.last) == "none\n")
    }

    @Test("sleeps between changes where a container's filter does not know epoll_pwait2(2)")
    func olderContainer() async throws {
        let uplink = try Uplink()
        let wrapper = ["/usr/bin/python3", Netwatch.file("Tests/Support/Scripts/refusing.py"), "waiting"]
        let run = try ProgramRun(wrapper + [Netwatch.path, "--json", "--no-probe"], in: uplink.namespace)
        _ = try await run.line(0)
        try uplink.connect()
        _ = try await run.line { (try? JSONLine($0))?.reachability == "ethernet" }
        // A loop that its wait fails at once never sleeps.
        try await expectSoon { try run.isAsleep }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("ends at once and well on a signal", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let run = try Netwatch.start("--json", "--no-probe", in: try TestNamespace())
        _ = try await run.line(0)
        run.send(signal)
        #expect(try await run.end(within: .seconds(10)) == 0)
        #expect(run.errorText == "")
    }

    @Test("is not ended by SIGINT where it was started with that ignored")
    func ignoredInterruption() async throws {
        let uplink = try Uplink()
        let script = #"trap "" INT; exec "$0" --json --no-probe"#
        let run = try ProgramRun(["sh", "-c", script, Netwatch.path], in: uplink.namespace)
        _ = try await run.line(0)
        run.send(SIGINT)
        // Time in which it would end.
        try await Task.sleep(for: .milliseconds(500))
        try uplink.connect()
        _ = try await run.line { (try? JSONLine($0))?.reachability == "ethernet" }
        run.send(SIGTERM)
        #expect(try await run.end(within: .seconds(10)) == 0)
    }

    @Test("ends well when its reader goes, even with nothing to write")
    func closedPipe() async throws {
        let run = try Netwatch.start("--json", "--no-probe", in: try TestNamespace())
        _ = try await run.line(0)
        run.closeOutput()
        #expect(try await run.end(within: .seconds(10)) == 0)
        #expect(run.errorText == "")
    }

    @Test("tells a reader that did not keep up how much it missed, and ends with the true state")
    func slowReader() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let script = #""$0" --json --no-probe | { read -r first; echo "$first"; read -r go < "$1"; exec cat; }"#
        let folder = try TemporaryFolder()
        let gate = folder.path.appending("gate").string
        try Command.run(["mkfifo", gate])
        let run = try ProgramRun(["sh", "-c", script, Netwatch.path, gate], in: uplink.namespace)
        _ = try await run.line(0)
        // Each change is a line of some kilobytes: far more than the pipe (64 KiB) and the monitor's buffer hold.
        for _ in 0..<150 {
            try uplink.namespace.ip("route del default")
            try uplink.namespace.ip("route add default via 192.0.2.1 dev up0")
        }
        // A state that was not there before: however many changes came to be judged together, it is told.
        try uplink.namespace.ip(
            """
            link add up1 type veth peer name far1
            link set far1 up
            address add 198.51.100.2/24 dev up1
            link set up1 up
            route replace default via 198.51.100.1 dev up1
            """)
        try Command.run(["sh", "-c", "echo go > \"$0\"", gate])
        _ = try await run.line { (try? JSONLine($0))?.to.interfaces == ["up1"] }
        let lines = run.lines
        try Self.validate(lines)
        let events = try lines.map(JSONLine.init)
        #expect(zip(events, events.dropFirst()).allSatisfy { $1.seq == $0.seq + 1 + $1.skipped })
        #expect(events.contains { $0.skipped > 0 })
    }

    @Test("writes plain lines for people where neither JSON nor a terminal is asked for")
    func plain() async throws {
        let uplink = try Uplink()
        let run = try Netwatch.start("--no-probe", in: uplink.namespace)
        #expect(try await run.line(0).contains("none"))
        try uplink.connect()
        _ = try await run.line { $0.contains("none → ethernet via up0, not probed  IPv4 via 192.0.2.1 dev up0") }
        run.send(SIGINT)
        #expect(try await run.end() == 0)
    }

    private static func validate(_ lines: [String]) throws {
        let validator = Netwatch.file("Tests/Support/Scripts/validate-lines.py")
        let text = lines.joined(separator: "\n") + "\n"
        #expect(
            try Command.run(["/usr/bin/python3", validator, Netwatch.schema], input: text) == "\(lines.count) lines\n")
    }
}

extension ProgramRun {
    /// Whether all its threads sleep (proc_pid_stat(5)).
    fileprivate var isAsleep: Bool {
        get throws {
            let folder = "/proc/\(processID)/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { thread in
                let status = try String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
                // The name before it may hold any character, a bracket too.
                return status.split(separator: ")").last?.hasPrefix(" S") == true
            }
        }
    }
}
