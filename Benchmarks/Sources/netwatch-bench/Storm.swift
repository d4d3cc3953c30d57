import Foundation

/// Route changes as fast as the kernel takes them, with a move of the default route in the middle: processor time beside
/// `ip monitor`, and when the move was told.
struct Storm {
    var program: String
    var changes = 1_000_000

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        let theirs = try Program(["ip", "monitor", "route"], keepsLines: false)
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten()
        let start = (ours: try Usage(of: ours), theirs: try Usage(of: theirs))
        let started = ContinuousClock.now
        let seen = ours.lineCount
        let storm = Thread.running {
            try routes("add"); try routes("delete")
        }
        usleep(UInt32.random(in: 300_000...500_000))
        let sent = try uplinks.moveDefault(to: 1)
        let told = try ours.line(from: seen, within: .seconds(60), "the move to w1") { $0.leads(to: "w1") }.time - sent
        try storm.wait()
        let seconds = started.duration(to: .now) / .seconds(1)
        theirs.quieten(for: .seconds(1))
        let end = (ours: try Usage(of: ours), theirs: try Usage(of: theirs))
        let rate = Double(changes) / seconds
        return [
            Figure("storm of \(changes) route changes", "rate", rate / 1000, "thousand/s"),
            Figure("storm of \(changes) route changes", "processor time", end.ours.seconds - start.ours.seconds, "s")
                .beside("ip monitor", end.theirs.seconds - start.theirs.seconds).aiming(ratioAtMost: 0.01),
            Figure("storm of \(changes) route changes", "the move in it is told after", Double(told) / 1e6, "ms")
                .aiming(atMost: 10),
            Figure(
                "storm of \(changes) route changes", "growth of memory", end.ours.mebibytes - start.ours.mebibytes,
                "MiB"
            )
            .aiming(atMost: 1),
        ]
    }

    /// Half of the changes: every route of a /32 each, in one batch.
    private func routes(_ verb: String) throws {
        let lines = (0..<changes / 2).map { "route \(verb) 20.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255) via 10.1.0.2\n" }
        try command("ip", "-batch", "-", input: lines.joined())
    }
}

/// What a process has used so far.
struct Usage {
    var seconds: Double
    var mebibytes: Double

    init(of program: Program) throws {
        let path = "/proc/\(program.processID)"
        let fields =
            try String(contentsOfFile: "\(path)/stat", encoding: .utf8).split(separator: ")").last?
            .split(separator: " ") ?? []
        let status = try String(contentsOfFile: "\(path)/status", encoding: .utf8).split(separator: "\n")
        let resident = status.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: \.isWhitespace)
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]), let resident,
            resident.count > 1, let kibibytes = Double(resident[1])
        else { throw BenchmarkError.unexpected("\(path)/stat or status has another shape") }
        seconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        mebibytes = kibibytes / 1024
    }
}
