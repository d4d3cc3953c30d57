import Connectivity
import Netwatch
import ServiceLifecycle

/// The monitor and the sink its events go to, as one service: it ends when it is told to, or when the reader is gone.
struct WatchService: Service {
    let monitor: ConnectivityMonitor
    let pump: EventPump
    let sink: any EventSink
    /// What the events are written to; nil where nothing is written.
    let output: LineOutput?
    /// Shows the results between events, too, and ends all when it is told to; nil where there is none.
    let view: LiveView?

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await watch() }
        } catch {
            await finish()
            throw error
        }
        await finish()
    }

    private func watch() async throws {
        // Listened to before the start, so that no result is missed.
        let results = view.map { _ in monitor.results }
        try await monitor.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pump.run(monitor) }
            if let view, let results {
                group.addTask { await view.follow(results) }
                group.addTask { await view.waitForQuit() }
            }
            if let output { group.addTask { await output.waitUntilClosed() } }
            try await group.next()
            group.cancelAll()
        }
    }

    private func finish() async {
        await sink.finish()
        await monitor.stop()
    }
}
