public import Connectivity
public import EventLoop
internal import Probing
public import Reachability
internal import RequestEngine

/// Knows whether this host can reach what it needs, and tells when that changes.
///
/// It watches the path and probes the configuration's targets, and joins both into one state. Listen by ``events``, by
/// a callback (``onEvent(on:_:)``), or ask for ``current``. It can be started and stopped any number of times, and any
/// number of monitors may run in one process.
public actor ConnectivityMonitor {
    private var configuration: ConnectivityConfiguration
    private var loop: EventLoop?
    private var run: MonitorRun?
    private var turns = Turns()
    private let recorder: MonitorRecorder?
    private let leaseFolders: [LeaseFolder]
    nonisolated let hub: EventHub

    /// A monitor that has not started yet.
    ///
    /// - Parameters:
    ///   - configuration: What it probes, and when.
    ///   - loop: The loop to run on, shared with whatever else runs there; nil for one of its own.
    ///   - recorder: Takes everything the monitor is told, so that a run can be made again from it; nil to record nothing,
    ///     which costs nothing.
    public init(
        configuration: ConnectivityConfiguration = ConnectivityConfiguration(), loop: EventLoop? = nil,
        recorder: MonitorRecorder? = nil
    ) {
        self.init(configuration, loop, recorder, leaseFolders: LeaseFolder.system)
    }

    init(
        _ configuration: ConnectivityConfiguration, _ loop: EventLoop?, _ recorder: MonitorRecorder? = nil,
        leaseFolders: [LeaseFolder]
    ) {
        OpenSSLLibrary.prepare()
        self.recorder = recorder
        self.leaseFolders = leaseFolders
        self.configuration = configuration
        self.loop = loop
        self.hub = EventHub(configuration: configuration)
    }

    /// One that is let go without a stop tells nothing more: those who wait for its events would do so for ever.
    deinit {
        hub.stop()
    }

    /// Starts to watch. When it returns, ``current`` is the state as it is. Does nothing where it has started before.
    ///
    /// - Throws: `ConnectivityError` where the configuration cannot be used, or the kernel cannot be listened to. The monitor
    ///   is then as it was, and can be started again.
    public func start() async throws(ConnectivityError) {
        await turn()
        defer { turns.end() }
        guard run == nil else { return }
        try configuration.validate()
        let loop = try sharedLoop()
        let run = MonitorRun(
            configuration: configuration, loop: loop, hub: hub, recorder: recorder, leaseFolders: leaseFolders)
        self.run = run
        do {
            try await run.start()
        } catch {
            self.run = nil
            await run.stop(hasFailed: true)
            throw error
        }
    }

    /// Stops: no more probes, no more events; the sequences end. Callbacks stay for another start.
    public func stop() async {
        await turn()
        defer { turns.end() }
        await run.take()?.stop()
    }

    /// Probes everything now, whatever the plan was.
    public func check() async {
        await run?.feed(.request)
    }

    /// Watches and probes by another configuration from now on, or from the next start on. What both have in common keeps its
    /// results.
    ///
    /// - Throws: `ConnectivityError` where it cannot be used; the one before then stays.
    public func configure(_ new: ConnectivityConfiguration) async throws(ConnectivityError) {
        try new.validate()
        await turn()
        defer { turns.end() }
        configuration = new
        await run?.feed(.configuration(new))
    }

    /// The state as it is: a snapshot numbered as the last event. Before the start all is unknown.
    public nonisolated var current: Event { hub.snapshot }

    /// First the state as it is, then one event for each transition, until the monitor is stopped or let go. Before the start
    /// that is a state in which all is unknown, and the start's own comes next; after a stop it is all there is.
    public nonisolated var events: EventSequence { EventSequence(hub: hub) }

    /// Every result of a probe from now on, before any steadying, until the monitor is stopped; none after a stop. A reader
    /// that is slower than they come finds the latest.
    public nonisolated var results: AsyncStream<ProbeResult> { hub.results() }

    /// Calls a handler with the state as it is, once the monitor has started, and then with each transition, one after the
    /// other.
    @discardableResult
    public nonisolated func onEvent(
        on execution: CallbackExecution = .loop, _ handler: @escaping @Sendable (Event) -> Void
    ) -> Subscription {
        hub.addCallback(execution, handler)
    }

    /// Ends all waits in vain, from any thread: there will be no further start.
    package nonisolated func endWaits() { hub.endWaiters() }

    /// What is watched and probed now, from any thread.
    package nonisolated var currentConfiguration: ConnectivityConfiguration { hub.configuration }

    /// Has every result of a probe counted from now on, over all runs, none left out.
    ///
    /// - Parameter counter: Called on the monitor's thread, which waits for it: it must not call the monitor.
    package nonisolated func count(results counter: @escaping @Sendable (ProbeResult) -> Void) {
        hub.count(results: counter)
    }

    /// What has been done since the monitor was made, over all its runs, from any thread.
    public nonisolated var statistics: ConnectivityStatistics { hub.statistics }

    /// What the kernel was asked and has told since the last start; nil while it does not watch.
    public nonisolated var pathStatistics: MonitorStatistics? { hub.pathStatistics }

    /// Whether all that the kernel has told since the last start is known.
    public nonisolated var listeningState: ListeningState { hub.listeningState }

    /// Waits until what was asked for before has ended: two runs at once would share one hub.
    private func turn() async {
        await withCheckedContinuation { turns.begin($0) }
    }

    func sharedLoop() throws(ConnectivityError) -> EventLoop {
        if let loop { return loop }
        do throws(EventLoopError) {
            let loop = try EventLoop()
            self.loop = loop
            return loop
        } catch {
            throw .loop(error)
        }
    }
}
