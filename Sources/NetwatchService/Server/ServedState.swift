#if Service
package import Connectivity
package import EventLoop

/// What the HTTP server shows: asked for when somebody asks.
package struct ServedState: Sendable {
    let board: StateBoard
    let monitor: ConnectivityMonitor
    let loopCheck: LoopCheck
    let registry: MetricRegistry

    package init(board: StateBoard, monitor: ConnectivityMonitor, loop: EventLoop, registry: MetricRegistry) {
        self.board = board
        self.monitor = monitor
        loopCheck = LoopCheck(loop)
        self.registry = registry
    }
}
#endif
