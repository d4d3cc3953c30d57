import NIOCore
import Synchronization

/// What was rendered a moment ago, for all clients that ask at the same time: thousands of targets are written out once,
/// and the monitor's lock is taken once.
final class RenderingCache: Sendable {
    /// A single reader sees no difference, and a crowd costs ten renderings a second at most.
    private static let shortest: UInt64 = 100_000_000
    /// A rendering stays for so many times as long as it took: a crowd that asks for a long one has no more than a share of a
    /// processor, and seldom holds the monitor up.
    private static let share: UInt64 = 10

    private struct Entry {
        var answer: HTTPAnswer
        var seq: UInt64?
        /// Until when it counts, by the clock.
        var end: UInt64
    }

    /// Nanoseconds from a moment that stays.
    private let clock: @Sendable () -> UInt64

    private let entries = Mutex<[String: Entry]>([:])

    init(clock: @escaping @Sendable () -> UInt64 = { NIODeadline.now().uptimeNanoseconds }) {
        self.clock = clock
    }

    /// The answer under a name, made anew where it is too old or the state has changed.
    ///
    /// - Parameters:
    ///   - name: One of a few that the program knows, never a caller's text.
    ///   - seq: The number of the latest event, which an answer from before it does not know of.
    func answer(_ name: String, seq: UInt64?, _ render: () throws -> HTTPAnswer) rethrows -> HTTPAnswer {
        let began = clock()
        if let entry = entries.withLock({ $0[name] }), entry.seq == seq, began < entry.end { return entry.answer }
        var answer = try render()
        answer.keepForms()
        let ended = clock()
        let end = ended + max(Self.shortest, (ended - min(began, ended)) * Self.share)
        entries.withLock { [answer] in $0[name] = Entry(answer: answer, seq: seq, end: end) }
        return answer
    }
}
