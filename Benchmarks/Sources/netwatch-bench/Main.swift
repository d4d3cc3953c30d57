import Foundation

/// `netwatch-bench PROGRAM RESULTS [BENCHMARK…]`: measures, prints a table and writes the results as JSON.
///
/// It expects a network namespace of its own (`Benchmarks/run` makes one).
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2 else {
            print("usage: netwatch-bench PROGRAM RESULTS [BENCHMARK...]\nbenchmarks: \(names.joined(separator: " "))")
            exit(64)
        }
        let program = arguments[1]
        let wanted = arguments.dropFirst(2)
        var report = Report()
        var failures = 0
        for (name, measure) in benchmarks(program) where wanted.isEmpty || wanted.contains(name) {
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

    private static let names = benchmarks("").map(\.0)

    private static func benchmarks(_ program: String) -> [(String, () async throws -> [Figure])] {
        [
            ("callback", CallbackLatency().measure),
            ("line", LineLatency(program: program).measure),
            ("idle", Idle(program: program).measure),
            ("requests", Requests().measure),
            ("links", Links(program: program).measure),
            ("storm", Storm(program: program).measure),
        ]
    }
}
