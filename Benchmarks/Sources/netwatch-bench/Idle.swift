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
            Figure("idle", "resident memory", try memory("VmRSS", of: ours.processID), "MiB")
                .beside("ip monitor", try memory("VmRSS", of: theirs.processID)),
        ]
    }

    /// Counts the system calls of every thread, as strace sees them: each wake-up of a sleeping thread makes one.
    private func systemCalls(of processID: Int32) throws -> Int {
        let summary = try command(
            "timeout", "--preserve-status", "--signal=INT", "\(seconds)", "strace", "-c", "-f", "-U", "name,calls",
            "-p",
            "\(processID)")
        let total = summary.split(separator: "\n").first { $0.contains("total") }
        return total?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    private func memory(_ field: String, of processID: Int32) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).compactMap({ Double($0) }).first else {
            throw BenchmarkError.unexpected("/proc/\(processID)/status has no \(field)")
        }
        return kibibytes / 1024
    }
}
