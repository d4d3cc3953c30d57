import EventLoop

/// Hands what a monitor is told and asks to the recorder; without one, it costs nothing.
struct TraceRecorder {
    private let write: (@Sendable (TraceRecord) -> Void)?
    private var surroundings: Surroundings?

    init(_ write: (@Sendable (TraceRecord) -> Void)?) {
        self.write = write
    }

    func record(_ event: @autoclosure () -> TraceRecord.Event, at time: MonotonicTime) {
        write?(TraceRecord(time: time, event: event()))
    }

    /// Records the surroundings where they have changed since the last time.
    mutating func record(_ surroundings: @autoclosure () -> Surroundings, at time: MonotonicTime) {
        guard let write else { return }
        let surroundings = surroundings()
        guard surroundings != self.surroundings else { return }
        self.surroundings = surroundings
        write(TraceRecord(time: time, event: .surroundings(surroundings)))
    }
}
