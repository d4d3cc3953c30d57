import CKernelFloor
import Foundation

/// Takes the only default route away and gives it back, and tells how long either took to reach the program's standard
/// output.
struct UplinkFlaps {
    let uplinks: Uplinks
    var rounds: Int
    /// How long it stays away, in microseconds: also shorter than what its loss means for thousands of targets takes.
    var absence: ClosedRange<UInt32> = 1_000...60_000
    /// How long it then stays, in microseconds.
    var presence: ClosedRange<UInt32> = 1_000...200_000

    func latencies(of program: Program) throws -> (loss: Samples, comeback: Samples) {
        kernel_floor_go_first()
        var times: (loss: [UInt64], comeback: [UInt64]) = ([], [])
        for _ in 1...rounds {
            let seen = program.lineCount
            let lost = try uplinks.dropDefault()
            times.loss.append(try program.line(from: seen, "the loss of w0") { $0.leadsNowhere }.time - lost)
            usleep(.random(in: absence))
            let told = program.lineCount
            let back = try uplinks.moveDefault(to: 0)
            times.comeback.append(
                try program.line(from: told, "the return of w0") { $0.leads(to: "w0") }.time - back)
            usleep(.random(in: presence))
        }
        return (Samples(times.loss), Samples(times.comeback))
    }
}

extension Program.Line {
    /// Whether the line is an event without a way out.
    fileprivate var leadsNowhere: Bool {
        struct Event: Decodable {
            var reachability: String
        }
        return (try? JSONDecoder().decode(Event.self, from: Data(text.utf8)))?.reachability == "none"
    }
}
