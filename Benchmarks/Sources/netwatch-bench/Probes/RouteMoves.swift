import Foundation

/// Moves the default route to and fro, and tells how long each move took to reach the program's standard output.
struct RouteMoves {
    let uplinks: Uplinks
    var rounds: Int
    /// From one move to the next, in microseconds.
    var pause: ClosedRange<UInt32>

    func latencies(of program: Program) throws -> Samples {
        var times: [UInt64] = []
        for round in 1...rounds {
            let target = round % 2
            let seen = program.lineCount
            let sent = try uplinks.moveDefault(to: target)
            times.append(
                try program.line(from: seen, "the move to w\(target)") { $0.leads(to: "w\(target)") }.time - sent)
            usleep(.random(in: pause))
        }
        _ = try uplinks.moveDefault(to: 0)
        return Samples(times)
    }
}
