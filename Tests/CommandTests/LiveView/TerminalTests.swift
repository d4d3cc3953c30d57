import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
    "The live view on a terminal", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct TerminalTests {
    @Test(
        "draws what happens as it happens, fits the window, and leaves the terminal as it was, also where it is told to go on"
    )
    func window() async throws {
        let uplink = try Uplink()
        let folder = try TemporaryFolder()
        let enter = "nsenter --net=\(uplink.namespace.path) env LC_ALL=C.UTF-8 \(Netwatch.path) --no-probe"
        let window = try Window(
            "sh -c 'trap : INT; echo before; sh -c \"echo \\$\\$ >\(folder.path)/pid; exec \(enter)\"; echo status $?; stty -a; exec sleep 1000'"
        )
        _ = try await window.wait(for: "none (no-route)")
        try uplink.connect()
        let connected = try await window.wait(for: "ethernet via up0, not probed")
        #expect(!connected.contains("before"))
        #expect(connected.contains("LAST TRANSITIONS"))
        _ = try window.tmux("resize-window", "-x", "30", "-y", "6")
        let small = try await window.wait(for: "…")
        #expect(small.split(separator: "\n").allSatisfy { $0.count <= 30 })
        _ = try window.tmux("resize-window", "-x", "100", "-y", "30")
        _ = try await window.wait(for: "LAST TRANSITIONS")
        // It was never stopped: the terminal is as the program itself has set it.
        let pid = try String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8)
        try Command.run(["kill", "-CONT", String(pid.dropLast())])
        _ = try window.tmux("send-keys", "C-c")
        let after = try await window.wait(for: "status 0")
        #expect(after.contains("before"))
        #expect(try await window.wait(for: " echo ").contains(" icanon "))
    }

    @Test("gives the terminal back when it is told that its user is gone")
    func hangUp() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let folder = try TemporaryFolder()
        let enter = "nsenter --net=\(uplink.namespace.path) env LC_ALL=C.UTF-8 \(Netwatch.path) --no-probe"
        let window = try Window(
            "sh -c 'echo before; sh -c \"echo \\$\\$ >\(folder.path)/pid; exec \(enter)\"; echo status $?; stty -a; exec sleep 1000'"
        )
        _ = try await window.wait(for: "ethernet via up0")
        let pid = try String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8)
        try Command.run(["kill", "-HUP", String(pid.dropLast())])
        #expect(try await window.wait(for: "status 0").contains("before"))
        #expect(try await window.wait(for: " echo ").contains(" icanon "))
    }

    @Test("ends where the terminal takes nothing any more, and gives it back when it does again")
    func stoppedOutput() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let folder = try TemporaryFolder()
        let enter = "nsenter --net=\(uplink.namespace.path) env LC_ALL=C.UTF-8 \(Netwatch.path) --no-probe"
        let window = try Window(
            "sh -c 'sh -c \"echo \\$\\$ >\(folder.path)/pid; exec \(enter)\"; echo $? >\(folder.path)/status; stty -a; exec sleep 1000'"
        )
        _ = try await window.wait(for: "ethernet via up0")
        let pid = try String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8)
        _ = try window.tmux("send-keys", "C-s")
        try await Task.sleep(for: .milliseconds(300))
        try Command.run(["kill", "-TERM", String(pid.dropLast())])
        var status = ""
        for _ in 0..<300 where status.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            status = (try? String(contentsOfFile: "\(folder.path)/status", encoding: .utf8)) ?? ""
        }
        #expect(status == "0\n")
        _ = try window.tmux("send-keys", "C-q")
        #expect(try await window.wait(for: " echo ").contains(" icanon "))
    }

    @Test("Escape is a key of its own where nothing follows it soon")
    func escape() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let (window, _) = try liveView(uplink, "--no-probe")
        _ = try await window.wait(for: "ethernet via up0")
        _ = try window.tmux("send-keys", "Escape")
        try await Task.sleep(for: .seconds(1))
        _ = try window.tmux("send-keys", "q")
        _ = try await window.wait(for: "status 0")
    }

    @Test("gives the terminal back at Ctrl-Z, takes it again at fg, and stays away from it in the background")
    func suspension() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let window = try Window(
            "nsenter --net=\(uplink.namespace.path) env LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile -i")
        _ = try await window.wait(for: "ready>")
        try window.type("\(Netwatch.path) --no-probe")
        #expect(try await !window.wait(for: "ethernet via up0").contains("ready>"))
        _ = try window.tmux("send-keys", "C-z")
        #expect(try await !window.wait(for: "Stopped").contains("ethernet via up0"))
        try window.type("stty -a")
        #expect(try await window.wait(for: " echo ").contains(" icanon "))
        try window.type("clear; fg")
        #expect(try await !window.wait(for: "ethernet via up0").contains("ready>"))
        _ = try window.tmux("send-keys", "C-z")
        _ = try await window.wait(for: "Stopped")
        try window.type("clear; bg; while jobs | grep -q Running; do sleep 0.1; done; jobs")
        #expect(try await !window.wait(for: "Stopped").contains("ethernet via up0"))
        try window.type("clear; fg")
        _ = try await window.wait(for: "ethernet via up0")
        _ = try window.tmux("send-keys", "C-c")
        _ = try await window.wait(for: "ready>")
        try window.type("echo status $?")
        _ = try await window.wait(for: "status 0")
    }

    @Test("ends by the shell's kill while it is stopped, and does not stop once more")
    func killWhileStopped() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let window = try Window(
            "nsenter --net=\(uplink.namespace.path) env LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile -i")
        _ = try await window.wait(for: "ready>")
        try window.type("\(Netwatch.path) --no-probe")
        _ = try await window.wait(for: "ethernet via up0")
        _ = try window.tmux("send-keys", "C-z")
        _ = try await window.wait(for: "Stopped")
        let look = "while jobs | grep -qE 'Running|Stopped'; do sleep 0.1; done"
        try window.type("clear; kill %1; \(look); echo status $((40 + 2))")
        _ = try await window.wait(for: "status 42")
    }

    /// A window in which the program watches some targets, of which the first answers, and the number of its process.
    private func liveView(
        _ uplink: Uplink, _ arguments: String, environment: String = "LC_ALL=C.UTF-8", width: Int = 80, height: Int = 24
    ) throws -> (window: Window, processID: String) {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("pid").string
        let program = "env -u NO_COLOR \(environment) \(Netwatch.path) \(arguments)"
        let window = try Window(
            "nsenter --net=\(uplink.namespace.path) sh -c 'echo $$ >\(file); \(program); echo status $?; exec sleep 1000'",
            width: width, height: height)
        var processID = ""
        for _ in 0..<500 where processID.isEmpty {
            processID = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            if processID.isEmpty { usleep(20_000) }
        }
        return (window, String(processID.dropLast()))
    }

    private func targets(_ count: Int) -> String {
        (0..<count).map { "--probe target\($0)=http://192.0.2.2/\($0)" }.joined(separator: " ")
    }

    @Test("q ends it and leaves the terminal as it was; arrows and letters move the window", arguments: [24, 12])
    func keys(height: Int) async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        let (window, _) = try liveView(uplink, targets(40), height: height)
        let first = try await window.wait(for: "full")
        #expect(first.contains("q ends") && first.contains("up0") && !first.contains("\n  target39 "), "\(first)")
        for _ in 0..<40 { _ = try window.tmux("send-keys", "Down") }
        _ = try await window.wait(for: "\n  target39 ")
        for _ in 0..<40 { _ = try window.tmux("send-keys", "k") }
        _ = try await window.wait(for: "more, none of them fails")
        _ = try window.tmux("send-keys", "q")
        #expect(try await window.wait(for: "status 0").contains("target") == false)
        withExtendedLifetime(server) {}
    }

    @Test("each target's age grows before the eyes of who looks, and nothing wakes the program where nobody does")
    func idle() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        let (window, shell) = try liveView(uplink, targets(1) + " --interval 1h")
        _ = try await window.wait(for: "answers 204")
        let program = try Command.run(["pgrep", "-P", shell]).split(separator: "\n")
        let processID = try #require(program.first.map(String.init))
        let before = try await Self.settledWakeups(of: processID)
        // This is what is looked for: that nothing happens for a while.
        try await Task.sleep(for: .seconds(4))
        // Each ten seconds a host is asked for a word, so that a way that dies is noticed.
        #expect(try Self.wakeups(of: processID) - before < 20)
        // A terminal tells that it has got the focus.
        _ = try window.tmux("send-keys", "Escape", "[I")
        let seen = try await window.wait(for: "answers 204")
        try await expectSoon("another picture than \(seen)") { try window.tmux("capture-pane", "-p") != seen }
        _ = try window.tmux("send-keys", "Escape", "[O")
        let after = try await Self.settledWakeups(of: processID)
        try await Task.sleep(for: .seconds(3))
        #expect(try Self.wakeups(of: processID) - after < 20)
        withExtendedLifetime(server) {}
    }

    @Test(
        "colours are for a terminal, and for one whose owner wants them",
        arguments: [("", true), ("NO_COLOR=1", false)])
    func colours(variable: String, isColoured: Bool) async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let (window, _) = try liveView(
            uplink, "--no-probe", environment: "LC_ALL=C.UTF-8 TERM=xterm-256color \(variable)")
        _ = try await window.wait(for: "up0")
        let shown = try window.tmux("capture-pane", "-p", "-e")
        #expect(shown.contains("\u{1B}[32m") == isColoured, "\(shown)")
    }

    /// How often the threads of a process have gone to sleep, once that has been the same for a second.
    private static func settledWakeups(of processID: String) async throws -> Int {
        var last = -1
        for _ in 0..<30 {
            let now = try wakeups(of: processID)
            if now == last { return now }
            last = now
            try await Task.sleep(for: .seconds(1))
        }
        throw ProgramRun.NotSeen(description: "the program did not come to rest")
    }

    private static func wakeups(of processID: String) throws -> Int {
        let folder = "/proc/\(processID)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
            let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
