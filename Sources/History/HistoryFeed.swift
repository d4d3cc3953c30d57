import Synchronization

/// What waits for the writer. The thread that brings something never waits: where the writer comes to nothing, notes are left
/// out and counted.
final class HistoryFeed: Sendable {
    /// Of a minute and a target: what the sums are kept by.
    struct Key: Hashable {
        var minute: Int64
        var target: String
    }

    struct Content {
        var notes: [HistoryNote] = []
        /// The number of the last event that came, whether it is among them or missing.
        var last: UInt64 = 0
        /// Up to where readers have had the events.
        var marks: [String: HistoryReading.Place] = [:]
        /// The same of all readers, also what was written.
        var known: [String: HistoryReading.Place] = [:]
        var sums: [Key: ProbeSum] = [:]
        /// How many notes are missing after these.
        var lost: UInt64 = 0
    }

    private static let mostNotes = 4096
    private static let mostSums = 100_000

    /// The readers that are known from an earlier run, or an earlier part of this one.
    private let earlier: Set<String>
    private let content: Mutex<Content>

    /// - Parameter marks: Up to where readers have had the events, as far as that is known.
    init(marks: [String: HistoryReading.Place]) {
        earlier = Set(marks.keys)
        content = Mutex(Content(known: marks))
    }

    /// Whether it is the first since the writer looked.
    func put(_ note: HistoryNote) -> Bool {
        content.withLock { content in
            content.last = note.seq
            guard content.lost == 0, content.notes.count < Self.mostNotes else {
                content.lost += 1
                return false
            }
            content.notes.append(note)
            return content.notes.count == 1
        }
    }

    /// - Parameter time: When the probe ended, in milliseconds since 1970-01-01 UTC.
    func put(_ probe: ProbeSum, of target: String, at time: Int64) {
        let key = Key(minute: time / 60_000, target: target)
        content.withLock { content in
            guard content.sums[key] != nil || content.sums.count < Self.mostSums else { return }
            content.sums[key, default: ProbeSum()] += probe
        }
    }

    /// Puts a mark where it is to follow what is known. Nothing else changes that meanwhile, as a late file might.
    ///
    /// - Returns: What was known before, and whether the mark is the first since the writer looked.
    func put(
        _ mark: HistoryReading.Place, of reader: String, where follows: (HistoryReading.Place?) -> Bool
    ) -> (former: HistoryReading.Place?, isFirst: Bool) {
        content.withLock { content in
            let former = content.known[reader]
            guard follows(former) else { return (former, false) }
            defer { content.marks[reader] = mark }
            content.known[reader] = mark
            return (former, content.marks.isEmpty)
        }
    }

    func mark(of reader: String) -> HistoryReading.Place? { content.withLock { $0.known[reader] } }

    /// Takes up where readers were in earlier runs, as a file knows it that comes late: one that has begun with this
    /// run meanwhile goes on there where it has had nothing of this run.
    ///
    /// - Returns: Those, and those that have had something of this run and are passed over.
    func adopt(
        _ marks: [String: HistoryReading.Place], in run: UInt64
    ) -> (adopted: [String: HistoryReading.Place], passedOver: [String: HistoryReading.Place]) {
        let news = marks.filter { $0.value.run < run && !earlier.contains($0.key) }
        let beginning = HistoryReading.Place(run: run, seq: 0)
        return content.withLock { content in
            var (adopted, passedOver): ([String: HistoryReading.Place], [String: HistoryReading.Place]) = ([:], [:])
            for (reader, place) in news {
                let known = content.known[reader] ?? beginning
                if known == beginning {
                    adopted[reader] = place
                    content.known[reader] = place
                    content.marks[reader] = nil
                } else if known.run == run {
                    passedOver[reader] = place
                }
            }
            return (adopted, passedOver)
        }
    }

    func takeNotes() -> (notes: [HistoryNote], lost: UInt64, last: UInt64) {
        content.withLock { content in
            defer { (content.notes, content.lost) = ([], 0) }
            return (content.notes, content.lost, content.last)
        }
    }

    func takeMarks() -> [String: HistoryReading.Place] {
        content.withLock { exchange(&$0.marks, with: [:]) }
    }

    func takeSums() -> [Key: ProbeSum] {
        content.withLock { exchange(&$0.sums, with: [:]) }
    }
}
