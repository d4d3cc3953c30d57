package import Connectivity
package import EventLoop
import Glibc
internal import Netwatch
import SystemPackage

/// `netwatch record`: watches as `netwatch --json` does, and writes all that the monitor is told to a file.
package struct RecordProgram: Sendable {
    /// The signals that end it: to be blocked before any thread is started.
    package static var signals: [CInt] { SignalSource.ends }

    /// How long a reader may take, after a signal, for what it has not taken yet.
    private static let patience = Duration.seconds(1)

    private let configuration: ConnectivityConfiguration
    private let path: String
    private let limit: Int

    /// - Parameter limit: The bytes that the file may hold.
    package init(configuration: ConnectivityConfiguration, path: String, limit: Int) {
        self.configuration = configuration
        self.path = path
        self.limit = limit
    }

    /// Runs until SIGINT, SIGTERM, SIGHUP, the file is full, or the reader of standard output goes away.
    package func run(on loop: EventLoop) async throws {
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let writer = try TraceWriter(path: path, limit: limit)
        let (failures, failed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop) { record in
            if !writer.write(record) { failed.finish() }
        }
        let signals = try SignalSource(Self.signals, loop: loop) { _ in
            Task(executorPreference: loop) {
                await monitor.stop()
                try? await loop.sleep(for: Self.patience)
                failed.finish()
            }
        }
        defer { withExtendedLifetime(signals) {} }
        // Listened to before the start, so that the first line is the first event and not a later look at the state.
        var events = monitor.events.makeAsyncIterator()
        // The state before the start, of which the recording tells nothing.
        _ = await events.next()
        try await monitor.start()
        try await print(events, to: output, until: failures)
        await monitor.stop()
        if let failure = writer.failure { throw failure }
        if writer.isFull { StandardStreams.tell("\(path) has reached its limit of \(limit) bytes: the recording ends") }
    }

    /// Prints until the monitor has ended, the reader is gone, the file cannot be written or is full, or a reader that takes
    /// nothing has had its time.
    private func print(
        _ events: EventSequence.Iterator, to output: LineOutput, until failures: AsyncStream<Void>
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var events = events
                // Nothing more once it is to end: what was written last may be a part of a line.
                while !Task.isCancelled, let event = await events.next() { try await output.write(event.jsonLine) }
            }
            group.addTask { await output.waitUntilClosed() }
            group.addTask { for await _ in failures {} }
            try await group.next()
            group.cancelAll()
        }
    }
}
