/// Something that can happen to a host, and the truth about it.
package struct Situation: Sendable {
    package let name: String
    /// How many seconds it goes on.
    package let seconds: Double
    let make: @Sendable (inout World) -> Void

    package init(_ name: String, seconds: Double = 100, _ make: @escaping @Sendable (inout World) -> Void) {
        self.name = name
        self.seconds = seconds
        self.make = make
    }

    /// One history of it.
    package func run(seed: UInt64, isTracing: Bool = false) -> Report {
        var world = World(seed: seed)
        world.isTracing = isTracing
        make(&world)
        world.run(seconds)
        return world.report
    }
}

/// What many histories of one situation come to.
package struct Summary: Sendable {
    package let name: String
    package private(set) var runs = 0
    package private(set) var wrong: [UInt64] = []
    package private(set) var lied: [UInt64] = []
    package private(set) var lies: [String: Int] = [:]
    package private(set) var events = 0
    package private(set) var bytes = 0
    package private(set) var touches = 0
    private var seconds: [Double] = []

    package init(_ situation: Situation, seeds: Range<UInt64>) {
        name = situation.name
        for seed in seeds { add(situation.run(seed: seed), seed) }
        seconds.sort()
    }

    private mutating func add(_ report: Report, _ seed: UInt64) {
        runs += 1
        if report.isWrong { wrong.append(seed) }
        if !report.lies.isEmpty { lied.append(seed) }
        for lie in Set(report.lies) { lies[lie, default: 0] += 1 }
        events += report.events
        bytes += report.bytes
        touches += report.touches
        report.seconds.map { seconds.append($0) }
    }

    /// Seconds from the cause to the right verdict, of so much of the runs.
    package func seconds(_ part: Double) -> Double? {
        seconds.isEmpty ? nil : seconds[min(Int(Double(seconds.count) * part), seconds.count - 1)]
    }

    package var meanEvents: Double { Double(events) / Double(max(runs, 1)) }
    package var meanBytes: Int { bytes / max(runs, 1) }
}
