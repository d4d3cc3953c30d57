#if Service
package import Connectivity
package import EventLoop
package import Netwatch

/// What the HTTP server shows: asked for when somebody asks.
package struct ServedState: Sendable {
    let board: StateBoard
    let monitor: ConnectivityMonitor
    let loopCheck: LoopCheck
    let registry: MetricRegistry
    /// Whose state it is; nil where nobody asks.
    let origin: EventOrigin?
    /// How those fare that take it elsewhere.
    private(set) var exports: [ExportHealth] = []

    package init(
        board: StateBoard, monitor: ConnectivityMonitor, loop: EventLoop, registry: MetricRegistry,
        origin: EventOrigin? = nil
    ) {
        self.origin = origin
        self.board = board
        self.monitor = monitor
        loopCheck = LoopCheck(loop)
        self.registry = registry
    }

    /// The same beside exporters.
    func reporting(_ exports: [ExportHealth]) -> ServedState {
        var state = self
        state.exports = exports
        return state
    }
}
#endif
