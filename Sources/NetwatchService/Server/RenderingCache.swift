#if Service
import NIOCore
import Synchronization

/// What was rendered a moment ago, for all who ask at the same time: thousands of targets are written out once, and the
/// monitor's lock is taken once.
final class RenderingCache: Sendable {
    /// Nobody who looks by himself sees a difference, and a crowd costs ten renderings a second.
    private static let age = TimeAmount.milliseconds(100)

    private struct Entry {
        var answer: Answer
        var seq: UInt64?
        var time: NIODeadline
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The answer under a name, made anew where it is too old or the state has changed.
    ///
    /// - Parameters:
    ///   - name: One of a few that the program knows, never a caller's text.
    ///   - seq: The number of the latest event, which an answer from before it does not know of.
    func answer(_ name: String, seq: UInt64?, _ render: () throws -> Answer) rethrows -> Answer {
        let now = NIODeadline.now()
        if let entry = entries.withLock({ $0[name] }), entry.seq == seq, now - entry.time < Self.age {
            return entry.answer
        }
        let answer = try render()
        entries.withLock { $0[name] = Entry(answer: answer, seq: seq, time: now) }
        return answer
    }
}
#endif
