internal import Connectivity
package import EventLoop
package import History
package import Netwatch

/// What the HTTP server shows: worked out when a client asks.
package struct ServedState: Sendable {
    let board: StateBoard
    let monitor: ConnectivityMonitor
    private let loop: EventLoop
    /// Whose state it is; nil where that is not told.
    let origin: EventOrigin?
    /// How long the probes of each target took; nil where that was not asked for.
    let histograms: TargetHistograms?
    let inquiries: Inquiries
    /// The latest events as their readers get them.
    let texts = EventTexts()
    /// Nil where none is kept.
    let history: History?
    /// The number of this run: those of events begin anew with each.
    let run: UInt64
    /// How those fare that take it elsewhere.
    private(set) var exports: @Sendable () -> [ExportHealth] = { [] }

    /// - Parameters:
    ///   - modules: What `/probe` may be asked for beside its own, by name.
    ///   - hasHistograms: Whether the durations of each target's probes are counted.
    package init(
        board: StateBoard, monitor: ConnectivityMonitor, loop: EventLoop, origin: EventOrigin? = nil,
        history: History? = nil, modules: [String: ProbeModule] = [:],
        hasHistograms: Bool = false
    ) {
        self.origin = origin
        self.board = board
        self.monitor = monitor
        self.loop = loop
        histograms = hasHistograms ? TargetHistograms() : nil
        inquiries = Inquiries(monitor: monitor, modules: ProbeModule.usual.merging(modules) { $1 })
        if let histograms { monitor.count { histograms.record($0) } }
        self.history = history
        run = origin?.epoch ?? UInt64(clamping: TimeText.seconds)
    }

    /// The same beside exporters.
    func reporting(_ exports: @escaping @Sendable () -> [ExportHealth]) -> ServedState {
        var state = self
        state.exports = exports
        return state
    }

    /// Whether the watcher's loop turns before a timer of another thread's ends.
    ///
    /// - Parameter timer: Starts that timer, which calls what it is given.
    func isLoopAlive(before timer: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
        await FirstOutcome<Bool>(loop: loop).value(ifCancelled: false) { check in
            timer { check.finish(false) }
            check.finish(true, at: .now)
        }
    }
}
