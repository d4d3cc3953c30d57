import Foundation

/// What the program costs while nothing happens: system calls in 20 s, and memory.
struct Idle {
    var program: String
    var seconds = 20

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        defer { withExtendedLifetime(uplinks) {} }
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten(for: .seconds(3))
        let calls = try systemCalls(of: ours.processID)
        let theirs = try Program(["ip", "monitor", "route"])
        theirs.quieten()
        return [
            Figure("idle", "system calls in \(seconds) s", Double(calls), "calls").aiming(atMost: 0),
            Figure("idle", "resident memory", try Usage(of: ours).mebibytes, "MiB")
                .beside("ip monitor", try Usage(of: theirs).mebibytes),
        ]
    }

    /// Counts the system calls of every thread, as strace sees them: each wake-up of a sleeping thread makes one.
    private func systemCalls(of processID: Int32) throws -> Int {
        // Not by SIGINT: a shell's background job inherits it as ignored, and strace then never ends. 143 is the end by
        // SIGTERM; any other means that strace did not watch until then.
        let script = "timeout --preserve-status --kill-after=5 $0 strace -c -f -U name,calls -p $1; test $? = 143"
        let summary = try command("sh", "-c", script, "\(seconds)", "\(processID)")
        let total = summary.split(separator: "\n").first { $0.contains("total") }
        return total?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
