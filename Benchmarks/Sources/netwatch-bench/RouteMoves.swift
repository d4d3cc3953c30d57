import CKernelFloor
import Foundation

/// Moves the default route to and fro, and tells how long each move took to reach a program's standard output.
struct RouteMoves {
    let uplinks: Uplinks
    var rounds: Int
    /// From one move to the next, in microseconds.
    var pause: ClosedRange<UInt32>

    func latencies(of program: Program) throws -> Samples {
        try latencies(of: program, beside: nil).ours
    }

    /// The same, and how long it took to reach the standard output of `ip monitor route` meanwhile, if that runs.
    func latencies(of program: Program, beside ipMonitor: Program?) throws -> (ours: Samples, theirs: Samples) {
        kernel_floor_go_first()
        var times: (ours: [UInt64], theirs: [UInt64]) = ([], [])
        for round in 1...rounds {
            let link = "w\(round % 2)"
            let seen = (ours: program.lineCount, theirs: ipMonitor?.lineCount ?? 0)
            let sent = try uplinks.moveDefault(to: round % 2)
            if let ipMonitor {
                let line = try ipMonitor.line(from: seen.theirs, "the route over \(link)") {
                    $0.text.contains("dev \(link)")
                }
                times.theirs.append(line.time - sent)
            }
            let line = try program.line(from: seen.ours, "the move to \(link)") { $0.leads(to: link) }
            times.ours.append(line.time - sent)
            usleep(.random(in: pause))
        }
        _ = try uplinks.moveDefault(to: 0)
        return (Samples(times.ours), Samples(times.theirs))
    }
}

extension Program.Line {
    /// Whether the line is an event whose path leaves by an interface.
    func leads(to interface: String) -> Bool {
        self.interface == interface
    }

    /// The interface that the path leaves by in the event that the line is.
    var interface: String? {
        struct Event: Decodable {
            var interfaces: [String]
        }
        let event = try? JSONDecoder().decode(Event.self, from: Data(text.utf8))
        return event?.interfaces.first
    }
}
