import EventLoop
import Synchronization

/// How far the writer is, for the readers of what it writes.
final class HistoryProgress: Sendable {
    private struct State {
        var settled: UInt64 = 0
        var failingSince: MonotonicTime?
        var file = 0
    }

    /// What cannot be written for so long is given up by the readers.
    private static let patience = Duration.seconds(30)

    private let state = Mutex(State())

    /// Up to which event of this run the file holds all that it will ever hold.
    var settled: UInt64 { state.withLock { $0.settled } }

    /// Whether the file could not be written for long.
    var isHopeless: Bool {
        state.withLock { $0.failingSince.map { $0.duration(to: .now) > Self.patience } ?? false }
    }

    /// Which of the run's files is written to: what a reader has met in an earlier one says nothing of this one.
    var file: Int { state.withLock { $0.file } }

    /// Another file has been begun.
    func beginFile() {
        state.withLock { $0.file += 1 }
    }

    func fail() {
        state.withLock { $0.failingSince = $0.failingSince ?? .now }
    }

    func recover() {
        state.withLock { $0.failingSince = nil }
    }

    func settle(upTo last: UInt64) {
        state.withLock { $0.settled = max($0.settled, last) }
    }
}
