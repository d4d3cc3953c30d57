#if Service
package import Connectivity
package import EventLoop
package import History

/// What the HTTP server shows: asked for when somebody asks.
package struct ServedState: Sendable {
    let board: StateBoard
    let monitor: ConnectivityMonitor
    let loopCheck: LoopCheck
    let registry: MetricRegistry
    /// Nil where none is kept.
    let history: History?
    /// The number of this run: those of events begin anew with each.
    let run: UInt64

    package init(
        board: StateBoard, monitor: ConnectivityMonitor, loop: EventLoop, registry: MetricRegistry,
        history: History? = nil
    ) {
        self.board = board
        self.monitor = monitor
        loopCheck = LoopCheck(loop)
        self.registry = registry
        self.history = history
        run = history?.run ?? UInt64(clamping: WallClock.seconds)
    }
}
#endif
