import Foundation

/// Links of containers that come and go by the hundred while the default route flips: how many flips are never told, how
/// late the others are, and what that costs beside `ip monitor`. Then the same flips beside as many links that are idle.
struct LinkStorm {
    var program: String
    var pairs = 500
    var quietFlips = 200

    /// Between two flips, in microseconds.
    private static let pause: ClosedRange<UInt32> = 20_000...60_000

    func storm() throws -> [Figure] {
        let uplinks = try Uplinks()
        return try measure("\(pairs) veth pairs come and go", uplinks) { flips in
            let storm = Thread.running { try command("ip", "-batch", "-", input: comings + goings) }
            while !storm.isDone { try flips.flip() }
            try storm.wait()
        }
    }

    func idle() throws -> [Figure] {
        let uplinks = try Uplinks()
        try command("ip", "-batch", "-", input: comings)
        defer { _ = try? command("ip", "link", "delete", "group", Self.group) }
        return try measure("\(pairs) idle veths with addresses", uplinks) { flips in
            for _ in 0..<quietFlips { try flips.flip() }
        }
    }

    private func measure(
        _ name: String, _ uplinks: Uplinks, _ work: (inout Flips) throws -> Void
    ) throws -> [Figure] {
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        let theirs = try Program(["ip", "monitor"], keepsLines: false)
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten()
        let start = (ours: try Usage(of: ours).seconds, theirs: try Usage(of: theirs).seconds)
        let seen = ours.lineCount
        var flips = Flips(uplinks: uplinks)
        try work(&flips)
        ours.quieten()
        theirs.quieten(for: .seconds(1))
        let end = (ours: try Usage(of: ours).seconds, theirs: try Usage(of: theirs).seconds)
        let told = flips.told(in: ours.lines(from: seen))
        return [
            Figure(name, "flips", Double(flips.count), ""),
            Figure(name, "flips never told", Double(flips.count - told.count), "").aiming(atMost: 0),
            Figure(name, "flip to line, p50", told.median / 1e6, "ms"),
            Figure(name, "flip to line, p99", told.percentile(99) / 1e6, "ms").aiming(atMost: 5),
            Figure(name, "processor time", end.ours - start.ours, "s")
                .beside("ip monitor", end.theirs - start.theirs).aiming(ratioAtMost: 1),
        ]
    }

    private static let group = "77"

    private var comings: String {
        (1...pairs).map { number in
            """
            link add s\(number) group \(Self.group) type veth peer name t\(number)
            address add 10.200.\(number / 250).\(number % 250)/32 dev s\(number)
            link set s\(number) up
            link set t\(number) up

            """
        }.joined()
    }

    private var goings: String {
        (1...pairs).map { "link delete s\($0)\n" }.joined()
    }

    /// Moves of the default route from one uplink to the other.
    private struct Flips {
        let uplinks: Uplinks
        private var sent: [(time: UInt64, target: Int)] = []

        init(uplinks: Uplinks) {
            self.uplinks = uplinks
        }

        var count: Int { sent.count }

        mutating func flip() throws {
            let target = (sent.last?.target ?? 0) == 0 ? 1 : 0
            sent.append((try uplinks.moveDefault(to: target), target))
            usleep(.random(in: LinkStorm.pause))
        }

        /// How late each flip was told that was told before the next one.
        func told(in lines: [Program.Line]) -> Samples {
            let arrivals = lines.compactMap { line in
                line.interface.map { (time: line.time, interface: $0) }
            }
            let latencies = sent.indices.compactMap { place -> UInt64? in
                let flip = sent[place]
                let end = place + 1 < sent.count ? sent[place + 1].time : .max
                let first = arrivals.first { flip.time < $0.time && $0.time < end && $0.interface == "w\(flip.target)" }
                return first.map { $0.time - flip.time }
            }
            return Samples(latencies)
        }
    }
}
