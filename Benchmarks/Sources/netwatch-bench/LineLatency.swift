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
        var times: (ours: [UInt64], theirs: [UInt64]) = ([], [])
        for round in 1...rounds {
            let target = round % 2
            let seen = (ours: ours.lineCount, theirs: theirs.lineCount)
            let sent = try uplinks.moveDefault(to: target)
            times.theirs.append(
                try theirs.line(from: seen.theirs, "the new default route") { $0.text.contains("dev w\(target)") }.time
                    - sent)
            times.ours.append(
                try ours.line(from: seen.ours, "the move to w\(target)") { $0.leads(to: "w\(target)") }.time - sent)
            usleep(.random(in: 3_000...12_000))
        }
        return figures(Samples(times.ours), Samples(times.theirs))
    }

    private func figures(_ ours: Samples, _ theirs: Samples) -> [Figure] {
        [
            Figure("change to line", "p50", ours.median / 1000, "µs").beside("ip monitor", theirs.median / 1000)
                .aiming(ratioAtMost: 1.5),
            Figure("change to line", "p99", ours.percentile(99) / 1000, "µs")
                .beside("ip monitor", theirs.percentile(99) / 1000),
        ]
    }
}

extension Program.Line {
    /// Whether the line is an event whose path leaves by an interface.
    func leads(to interface: String) -> Bool {
        struct Event: Decodable {
            struct State: Decodable { var interfaces: [String] }
            var to: State
        }
        let event = try? JSONDecoder().decode(Event.self, from: Data(text.utf8))
        return event?.to.interfaces.first == interface
    }
}
