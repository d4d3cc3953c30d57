import EventLoop

/// Answers from the file, on a thread of its own: a question about a year delays no event.
actor HistoryReader {
    private let path: String
    private let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(_ path: String, loop: EventLoop) {
        self.path = path
        self.loop = loop
    }

    /// Each question has a connection of its own: the file may be another one by the next.
    func read<Answer: Sendable>(_ question: @Sendable (HistoryReading) throws -> Answer) throws -> Answer {
        try question(try HistoryReading(path))
    }
}
