import Foundation

/// How many events netwatch makes of something that is no news of the path, and what that costs beside `ip monitor`.
struct BesideMonitor {
    var program: String

    func figures(of name: String, _ work: () throws -> Void) throws -> [Figure] {
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        let theirs = try Program(["ip", "monitor", "link", "address", "route"], keepsLines: false)
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten()
        let start = (ours: try Usage(of: ours).seconds, theirs: try Usage(of: theirs).seconds)
        let seen = ours.lineCount
        try work()
        theirs.quieten(for: .seconds(1))
        return [
            Figure(name, "events", Double(ours.lineCount - seen), "").aiming(atMost: 0),
            Figure(name, "processor time", try Usage(of: ours).seconds - start.ours, "s")
                .beside("ip monitor", try Usage(of: theirs).seconds - start.theirs).aiming(ratioAtMost: 1),
        ]
    }
}
