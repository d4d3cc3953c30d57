package import EventLoop

/// Asks a loop for a sign of life.
package struct LoopCheck: Sendable {
    private let loop: EventLoop

    package init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Whether the loop turns before a timer of another thread's ends.
    ///
    /// - Parameter timer: Starts that timer, which calls what it is given.
    package func isAlive(before timer: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
        await FirstOutcome<Bool>(loop: loop).value(ifCancelled: false) { check in
            timer { check.finish(false) }
            check.finish(true, at: .now)
        }
    }
}
