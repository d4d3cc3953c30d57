import Glibc
import Synchronization

/// A lock and what it guards, for what the whole process has once.
///
/// The child of a fork(2) begins with a new one. A thread of the parent's may have held the lock at that moment, which is not
/// there to give it back, and what the lock guards is the parent's: threads and loops that the child has not got.
@safe
package final class ProcessMutex<Value: Sendable>: Sendable {
    private final class Present: Sendable {
        let process = getpid()
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    private let initial: Value
    /// Owned; a parent's is never given up in its child, where nothing of it may be touched.
    private let present: Atomic<Unmanaged<Present>>

    package init(_ initial: Value) {
        self.initial = initial
        unsafe present = Atomic(.passRetained(Present(initial)))
    }

    deinit {
        let present = unsafe present.load(ordering: .acquiring)
        if unsafe present._withUnsafeGuaranteedRef({ $0.process == getpid() }) { unsafe present.release() }
    }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        ofThisProcess().value.withLock { body(&$0) }
    }

    package func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
        ofThisProcess().value.withLockIfAvailable { body(&$0) }
    }

    private func ofThisProcess() -> Present {
        let found = unsafe present.load(ordering: .acquiring)
        let value = unsafe found.takeUnretainedValue()
        guard value.process != getpid() else { return value }
        let new = unsafe Unmanaged.passRetained(Present(initial))
        let (isExchanged, other) = unsafe present.compareExchange(
            expected: found, desired: new, ordering: .acquiringAndReleasing)
        guard !isExchanged else { return unsafe new.takeUnretainedValue() }
        unsafe new.release()
        return unsafe other.takeUnretainedValue()
    }
}
