internal import World

/// Prints what the model makes of each situation: `Simulation [SEEDS] [FIRST SEED] [PART OF A NAME] [trace]`.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap(UInt64.init)
        let (count, first) = (numbers.first ?? 10, numbers.dropFirst().first ?? 1)
        let part = arguments.first { UInt64($0) == nil && $0 != "trace" }
        let chosen = (Situation.all + Walk.situations).filter { part.map($0.name.contains) ?? true }
        if arguments.contains("trace") { return trace(chosen, first) }
        table(chosen.map { Summary($0, seeds: first..<first + count) })
    }

    private static func trace(_ situations: [Situation], _ seed: UInt64) {
        for situation in situations {
            print(situation.name)
            let report = situation.run(seed: seed, isTracing: true)
            print(
                "   wrong \(report.isWrong), lies \(report.lies), seconds \(report.seconds ?? -1), probes \(report.probes),",
                "touches \(report.touches), names \(report.names)")
        }
    }

    private static func table(_ summaries: [Summary]) {
        print(row("situation", "wrong", "lied", "events", "p50 s", "p95 s", "bytes", "touches", ""))
        for summary in summaries {
            let runs = Double(summary.runs)
            let lies = summary.lies.sorted { $0.value > $1.value }.prefix(3).map { "\($0.key) ×\($0.value)" }
            print(
                row(
                    summary.name, percent(Double(summary.wrong.count) / runs),
                    percent(Double(summary.lied.count) / runs),
                    number(summary.meanEvents), summary.seconds(0.5).map(number) ?? "-",
                    summary.seconds(0.95).map(number) ?? "-", "\(summary.meanBytes)",
                    "\(summary.touches / max(summary.runs, 1))",
                    lies.joined(separator: ", ") + (summary.wrong.first.map { " wrong: seed \($0)" } ?? "")
                        + (summary.lied.first.map { " lied: seed \($0)" } ?? "")))
        }
        let runs = Double(summaries.reduce(0) { $0 + $1.runs })
        let wrong = Double(summaries.reduce(0) { $0 + $1.wrong.count }) / runs
        let lied = Double(summaries.reduce(0) { $0 + $1.lied.count }) / runs
        let often = summaries.count { Double($0.lied.count) > 0.05 * Double($0.runs) }
        print(
            "\(summaries.count) situations: wrong at the end \(percent(wrong)), lied \(percent(lied)),",
            "more than 5 % in \(often)")
    }

    private static func row(_ columns: String...) -> String {
        let widths = [52, 7, 7, 7, 7, 7, 9, 8, 0]
        return zip(columns, widths).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }.joined(separator: " ")
    }

    private static func percent(_ part: Double) -> String { number(part * 100) + " %" }

    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
