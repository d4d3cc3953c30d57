import Foundation

/// How long the first line takes on a host with thousands of links.
struct Links {
    var program: String
    var count = 2000

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        defer { withExtendedLifetime(uplinks) {} }
        let few = try start()
        // Ports of one bridge, as a host of containers has them.
        let pairs = (0..<count / 2).map { "link add c\($0) type veth peer name d\($0)\n" }
        try command("ip", "-batch", "-", input: pairs.joined())
        let many = try start()
        try command("ip", "-batch", "-", input: (0..<count / 2).map { "link delete c\($0)\n" }.joined())
        return [
            Figure("start to first line", "with 2 uplinks", few.milliseconds, "ms"),
            Figure("start to first line", "with \(count) links", many.milliseconds, "ms").aiming(atMost: 50),
            Figure("start to first line", "memory with \(count) links", many.mebibytes, "MiB").beside(
                "2 uplinks", few.mebibytes),
        ]
    }

    private func start() throws -> (milliseconds: Double, mebibytes: Double) {
        var times: [UInt64] = []
        var usage: Usage?
        for _ in 0..<5 {
            let begin = ContinuousClock.now
            let started = try Program([program, "--json", "--no-probe"], name: "netwatch")
            _ = try started.line("the snapshot") { _ in true }
            times.append(UInt64(begin.duration(to: .now) / .nanoseconds(1)))
            started.quieten()
            usage = try Usage(of: started)
        }
        return (Samples(times).median / 1e6, usage?.mebibytes ?? 0)
    }
}
