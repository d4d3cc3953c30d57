#if Service
package import Connectivity
package import EventLoop

/// Carries events from a monitor to the board and a sink, on the loop's own thread: no change of threads lies between the
/// kernel's message and the line on standard output.
package actor EventPump {
    private let loop: EventLoop
    private let board: StateBoard
    private let sink: any EventSink

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(board: StateBoard, sink: any EventSink, loop: EventLoop) {
        self.loop = loop
        self.board = board
        self.sink = sink
    }

    /// Runs until the events end, the sink can take no more, or the task is cancelled.
    package func run<Events: AsyncSequence & Sendable>(_ events: Events) async throws
    where Events.Element == Event, Events.Failure == Never {
        defer { board.end() }
        for await event in events {
            board.show(event)
            try await sink.take(event)
            if Task.isCancelled { return }
        }
    }
}
#endif
