import Foundation

/// From the request that moves the default route to the line on standard output, beside `ip monitor`.
struct LineLatency {
    var program: String
    var rounds = 300

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        let theirs = try Program(["ip", "monitor", "route"])
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten()
        let moves = RouteMoves(uplinks: uplinks, rounds: rounds, pause: 3_000...12_000)
        let times = try moves.latencies(of: ours, beside: theirs)
        return [
            Figure("change to line", "p50", times.ours.median / 1000, "µs")
                .beside("ip monitor", times.theirs.median / 1000).aiming(ratioAtMost: 1.5),
            Figure("change to line", "p99", times.ours.percentile(99) / 1000, "µs")
                .beside("ip monitor", times.theirs.percentile(99) / 1000),
        ]
    }
}
