import EventLoop

/// The loop's turn that a pool is in, read from the clock once: everything libcurl reports in it happened just now.
final class Turn {
    private(set) var time = MonotonicTime.now

    func begin() {
        time = .now
    }
}
