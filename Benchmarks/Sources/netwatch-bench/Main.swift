import Foundation

/// `netwatch-bench PROGRAM RESULTS [BENCHMARK[=SECONDS]…]`: measures, prints a table and writes the results as JSON. The
/// seconds shorten (or lengthen) a benchmark that goes by time.
///
/// It expects a network namespace of its own (`Benchmarks/run` makes one).
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == BoundProbes.subcommand {
            do { try await BoundProbes.probe(Array(arguments.dropFirst())) } catch { print(error) }
            return
        }
        if arguments.first == AnsweringServer.subcommand {
            do { try AnsweringServer.serve(Array(arguments.dropFirst())) } catch { print(error) }
            return
        }
        guard arguments.count >= 2 else {
            let usage = "usage: netwatch-bench PROGRAM RESULTS [BENCHMARK[=SECONDS]...]"
            print("\(usage)\nbenchmarks: \(names.joined(separator: " "))")
            exit(64)
        }
        let program = arguments[1]
        let wanted = Dictionary(arguments.dropFirst(2).map(nameAndSeconds)) { first, _ in first }
        var report = Report()
        var failures = 0
        for (name, measure) in benchmarks(program, wanted) where wanted.isEmpty || wanted.keys.contains(name) {
            FileHandle.standardError.write(Data("\(name) …\n".utf8))
            do {
                let figures = try await measure()
                // At once too, since a later one may take minutes.
                for figure in figures { FileHandle.standardError.write(Data("  \(figure.line)\n".utf8)) }
                report.figures += figures
            } catch {
                failures += 1
                FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            }
        }
        print(report.table)
        do { try report.write(to: arguments[2]) } catch { failures += 1; print("\(arguments[2]): \(error)") }
        exit(failures == 0 ? 0 : 1)
    }

    private static let names = benchmarks("", [:]).map(\.0)

    private static func nameAndSeconds(_ argument: String) -> (String, Int?) {
        let words = argument.split(separator: "=", maxSplits: 1)
        return (words.first.map { String($0) } ?? argument, words.count == 2 ? Int(words[1]) : nil)
    }

    private static func benchmarks(
        _ program: String, _ seconds: [String: Int?]
    ) -> [(String, () async throws -> [Figure])] {
        [
            ("callback", CallbackLatency().measure),
            ("line", LineLatency(program: program).measure),
            ("idle", Idle(program: program).measure),
            ("requests", Requests().measure),
            ("connection", Requests(parallel: 1).measureConnection),
            ("downloads", Downloads(program: program).measure),
            ("links", Links(program: program).measure),
            ("storm", Storm(program: program).measure),
            ("link-storm", LinkStorm(program: program).storm),
            ("idle-links", LinkStorm(program: program).idle),
            ("overruns", Overruns().storm),
            ("drill", Overruns().drill),
            ("containers", Containers(program: program).measure),
            ("flaps", Flaps(program: program).measure),
            ("verdicts", Verdicts().measure),
            ("bound", { try BoundProbes().measure() }),
            ("fleet", Fleet(program: program, seconds: max(60, (seconds["fleet"] ?? nil) ?? 300)).measure),
            ("probes", ManyProbes(program: program, seconds: max(5, (seconds["probes"] ?? nil) ?? 120)).measure),
            ("uplink", ManyProbes(program: program, seconds: max(5, (seconds["uplink"] ?? nil) ?? 120)).measureUplink),
        ]
    }
}
