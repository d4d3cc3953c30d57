import Connectivity
import FoundationEssentials

/// Whether an event comes right after another of its run: one may stand for some before it that were not read in time, which are
/// no gap.
enum StandingEvent {
    /// - Parameter skipped: What the event says it stands for. Results count there too, which have no number of their own.
    static func follows(_ place: UInt64, seq: UInt64, skipped: UInt64) -> Bool {
        seq - min(seq, skipped) <= place + 1
    }

    static func follows(_ place: UInt64, _ event: Event) -> Bool {
        follows(place, seq: event.seq, skipped: event.skipped)
    }

    /// - Parameter line: The event as the history has it.
    static func follows(_ place: UInt64, seq: UInt64, line: [UInt8]) -> Bool {
        seq <= place + 1 || follows(place, seq: seq, skipped: skipped(line))
    }

    private static func skipped(_ line: [UInt8]) -> UInt64 {
        (try? JSONDecoder().decode(Skipping.self, from: Data(line)))?.skipped ?? 0
    }

    private struct Skipping: Decodable {
        let skipped: UInt64?
    }
}
