import TestSupport

/// A tmux server of the test's own, with one window.
final class Window {
    private let name = "netwatch-test-\(UInt32.random(in: 0 ... .max))"

    init(_ command: String, width: Int = 100, height: Int = 30) throws {
        try Command.run([
            "tmux", "-L", name, "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)",
            command,
        ])
    }

    deinit {
        _ = try? Command.run(["tmux", "-L", name, "kill-server"])
    }

    func tmux(_ arguments: String...) throws -> String {
        try Command.run(["tmux", "-L", name] + arguments)
    }

    /// Types a line.
    func type(_ line: String) throws {
        _ = try tmux("send-keys", "-l", line)
        _ = try tmux("send-keys", "Enter")
    }

    /// Waits until the window shows a text, and returns all it shows.
    func wait(for text: String) async throws -> String {
        func shown() throws -> String { try tmux("capture-pane", "-p") }
        return try await arrival(of: "\"\(text)\"", seen: (try? shown()) ?? "nothing") {
            let shown = try shown()
            return shown.contains(text) ? shown : nil
        }
    }
}
