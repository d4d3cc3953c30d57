import CLinux
import Glibc

/// The thread that the child of a fork(2) begins with: the one that called it. It must not take a lock of Swift's.
///
/// A `Mutex` knows its owner by the number of a thread, and each thread asks for its number once (`_SynchronizationShims.h`). In
/// the child that thread has another number and knows only the one it had, which is still that of a thread of the parent: as
/// soon as another thread waits for a lock that it holds, the kernel (futex(2), FUTEX_LOCK_PI) finds a wrong owner, and the
/// process ends or hangs. Fresh threads ask anew.
package enum ForkedThread {
    /// The process in which a lock was first taken. To be known before that.
    static let firstProcess = getpid()

    /// In a child the thread that it begins with is its main thread, whatever it was in the parent.
    private static var isCurrent: Bool {
        let process = getpid()
        return process != firstProcess && process == gettid()
    }

    /// Does work that may take locks: where the present thread must not, on another, whose end is waited for.
    package static func avoid<Value>(_ work: () -> Value) -> Value {
        guard isCurrent else { return work() }
        var value: Value?
        withoutActuallyEscaping({ value = work() }) { Errand($0).run() }
        // Where no thread is to be had, all still goes well as long as no other waits for the same lock.
        return value ?? work()
    }

    private final class Errand {
        let work: () -> Void

        init(_ work: @escaping () -> Void) {
            self.work = work
        }

        func run() {
            let argument = unsafe Unmanaged.passRetained(self)
            defer { unsafe argument.release() }
            var thread = pthread_t()
            let result = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    unsafe Unmanaged<Errand>.fromOpaque(argument).takeUnretainedValue().work()
                    return nil
                }, unsafe argument.toOpaque())
            if result == 0 { pthread_join(thread, nil) }
        }
    }
}
