internal import EventLoop
internal import Reachability
internal import RequestCore

/// Runs probes on one loop, and hands out their results.
actor ProbeWorker {
    /// A probe that has ended by itself.
    struct Finished: Sendable {
        let id: Probe.ID
        let result: ProbeResult
    }

    private nonisolated let loop: EventLoop
    private let deliver: @Sendable (inout [Finished]) -> Void
    /// How long results are gathered before they are handed out.
    private let gathering: Duration
    private let prober: Prober
    private var tasks: [Probe.ID: Task<Void, Never>] = [:]
    /// Probes that are to be started, a few a turn of the loop: an answer that comes meanwhile waits until it is over, and is
    /// taken for so much slower.
    private var waiting = TurnQueue<Probe>(limit: 4)
    private var finished: [Finished] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - trustStores: What all workers have read of the host's authorities.
    ///   - examiners: Who examines the bodies that all workers read.
    ///   - gathering: How long a result may wait for others to be handed out with; zero for not at all.
    ///   - deliver: Takes results out of the array, on this worker's loop.
    init(
        loop: EventLoop, configuration: ConnectivityConfiguration, trustStores: TrustStores,
        examiners: BodyExaminers = BodyExaminers(),
        gathering: Duration = .zero, deliver: @escaping @Sendable (inout [Finished]) -> Void
    ) {
        self.loop = loop
        self.deliver = deliver
        self.gathering = gathering
        prober = Prober(
            loop: loop, configuration: configuration, trustStores: trustStores, examiners: examiners)
    }

    /// Probes by another configuration from now on.
    func configure(_ configuration: ConnectivityConfiguration) {
        prober.assumeIsolated { $0.configure(configuration) }
    }

    func use(_ path: Path) {
        prober.assumeIsolated { $0.use(path) }
    }

    func start(_ probes: [Probe]) {
        if waiting.add(probes) { startWaiting() }
    }

    /// How many probes have been started and have not ended.
    var underWay: Int { tasks.count }

    private func startWaiting() {
        for probe in waiting.takeTurn() {
            // Without the preference every suspended call would go on by way of Swift's own pool of threads.
            tasks[probe.id] = Task(executorPreference: loop) { await self.run(probe) }
        }
        guard waiting.endTurn() else { return }
        loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.startWaiting() } }
    }

    private func run(_ probe: Probe) async {
        let result = await prober.result(of: probe)
        if tasks.removeValue(forKey: probe.id) != nil { finish(Finished(id: probe.id, result: result)) }
    }

    func cancel(_ probes: [Probe.ID]) {
        let cancelled = Set(probes)
        waiting.removeAll { cancelled.contains($0.id) }
        for id in probes { tasks.removeValue(forKey: id)?.cancel() }
    }

    /// Ends everything; nothing is handed out any more.
    func stop() {
        tasks.values.forEach { $0.cancel() }
        tasks = [:]
        waiting.removeAll { _ in true }
        finished = []
    }

    private func finish(_ probe: Finished) {
        finished.append(probe)
        guard gathering > .zero else { return handOut() }
        guard finished.count == 1 else { return }
        loop.schedule(after: gathering) { [weak self] in self?.assumeIsolated { $0.handOut() } }
    }

    private func handOut() {
        guard !finished.isEmpty else { return }
        var batch = exchange(&finished, with: [])
        deliver(&batch)
        // Empty now, and with room for as many again.
        if finished.isEmpty { finished = batch }
    }
}
