#if Service
import Foundation
import Glibc
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
        let connected = try await window.wait(for: "ethernet via up0 (192.0.2.1)")
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
        try window.type("clear; bg; sleep 1; jobs")
        #expect(try await !window.wait(for: "(tty output)").contains("ethernet via up0"))
        try window.type("clear; fg")
        _ = try await window.wait(for: "ethernet via up0")
        _ = try window.tmux("send-keys", "C-c")
        #expect(try await window.wait(for: "ready>").contains("fg"))
        try window.type("echo status $?")
        _ = try await window.wait(for: "status 0")
    }
}
#endif
