internal import Connectivity
package import EventLoop
package import Netwatch

/// Carries events from a monitor to a sink and the board, on the loop's own thread and in the very call that brings an
/// event: neither another thread nor another task lies between the kernel's message and the line on standard output.
package actor EventPump {
    private let loop: EventLoop
    private let board: StateBoard
    private let sink: any EventSink
    /// Whether the sink is told of each probe's end, too.
    private let results: Bool

    private var inbox: EventInbox?
    /// What the sink has still to do with the last event. Until that is done, the inbox keeps what comes.
    private var remainder: EventRemainder?
    private var failure: (any Error)?
    private var waiter: CheckedContinuation<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - results: Whether the sink is told of each probe's end, too.
    ///   - loop: The monitor's loop, and the sink's.
    package init(board: StateBoard, sink: any EventSink, results: Bool = false, loop: EventLoop) {
        self.loop = loop
        self.results = results
        self.board = board
        self.sink = sink
    }

    /// Runs until the events end, the sink can take no more, or the task is cancelled.
    package func run(_ monitor: ConnectivityMonitor) async throws {
        defer { board.end() }
        let inbox = monitor.inbox(results: results) { [weak self] in self?.arrived() }
        self.inbox = inbox
        defer { self.inbox = nil }
        pump()
        while !Task.isCancelled {
            if let failure { throw failure }
            if let remainder {
                try await remainder()
                // What was written last may be a part of a line.
                guard !Task.isCancelled else { return }
                self.remainder = nil
                pump()
            } else if inbox.isOver {
                return
            } else {
                await wait()
            }
        }
    }

    private nonisolated func arrived() {
        guard loop.isIsolatingCurrentContext() == true else { return later() }
        assumeIsolated { $0.pump() }
    }

    private nonisolated func later() {
        loop.schedule(after: .zero) { [weak self] in
            self?.assumeIsolated { $0.pump() }
        }
    }

    /// Hands over what is in the inbox, as far as the sink takes it.
    private func pump() {
        while remainder == nil, failure == nil, let next = inbox?.take() {
            do { remainder = try sink.accept(next.event) } catch { failure = error }
            if next.event.kind != .result { board.show(next.event) }
        }
        if isDue { release() }
    }

    /// Whether the task has something to do.
    private var isDue: Bool { remainder != nil || failure != nil || inbox?.isOver != false }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !isDue, !Task.isCancelled else { return continuation.resume() }
                waiter = continuation
            }
        } onCancel: {
            loop.schedule(after: .zero) { [weak self] in
                self?.assumeIsolated { $0.release() }
            }
        }
    }

    private func release() {
        waiter.take()?.resume()
    }
}
