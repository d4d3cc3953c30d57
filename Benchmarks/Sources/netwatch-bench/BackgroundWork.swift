import Foundation
import Synchronization

/// Work on a thread of its own that the benchmark waits for.
final class BackgroundWork: Sendable {
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    fileprivate init(_ work: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            let result = Result(catching: work)
            outcome.withLock { $0 = result }
        }
    }

    var isDone: Bool { outcome.withLock { $0 != nil } }

    func wait() throws {
        while true {
            if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
            usleep(1000)
        }
    }
}

extension Thread {
    /// Starts work on a thread of its own.
    static func running(_ work: @escaping @Sendable () throws -> Void) -> BackgroundWork {
        BackgroundWork(work)
    }
}
