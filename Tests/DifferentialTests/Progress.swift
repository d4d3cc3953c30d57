import Foundation
import Synchronization

/// Tells how far a long run has come, a line for each hundredth of it.
final class Progress: Sendable {
    private let operations: Int
    private let start: ContinuousClock.Instant
    private let told = Mutex(0)

    init(operations: Int, start: ContinuousClock.Instant) {
        self.operations = operations
        self.start = start
    }

    func tell(_ tally: Fuzzer.Tally) {
        let hundredth = tally.operations * 100 / operations
        let isNew = told.withLock { told in
            defer { told = max(told, hundredth) }
            return hundredth > told
        }
        // A short run is over before its progress is asked for.
        guard isNew, operations > 10_000 else { return }
        let seconds = start.duration(to: .now).components.seconds
        // Not by print(), which a pipe holds back.
        FileHandle.standardError.write(
            Data(
                "differential: \(tally.operations) of \(operations) operations after \(seconds) s, \(tally.reports.count) disagreements\n"
                    .utf8))
    }
}
