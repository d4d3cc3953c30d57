internal import Connectivity
internal import EventLoop
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Runs probes, touches and look-ups on one loop, and hands out what they tell.
actor ProbeWorker {
    private nonisolated let loop: EventLoop
    private let deliver: @Sendable ([ProbeReport]) -> Void
    /// How long reports are gathered before they are handed out.
    private let gathering: Duration
    private(set) var tasks: [Probe.ID: Task<Void, Never>] = [:]
    /// What is to be asked, a few a turn of the loop: an answer that comes meanwhile waits until it is over, and is taken for
    /// so much slower.
    private var waiting = TurnQueue<ProbeOrder>(limit: 4)
    private var reports: [ProbeReport] = []
    private var isHandingOut = false
    private let prober: Prober
    private let toucher: Toucher

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - trustStores: What all workers have read of the host's authorities.
    ///   - examiners: Who examines the bodies that all workers read.
    ///   - names: How this host looks names up.
    ///   - gathering: How long a report may wait for others to be handed out with; zero for no longer than the turn of the
    ///     loop takes.
    ///   - deliver: Takes reports, on this worker's loop.
    init(
        loop: EventLoop, configuration: ConnectivityConfiguration, trustStores: TrustStores,
        examiners: BodyExaminers = BodyExaminers(), names: NameFiles = NameFiles(),
        gathering: Duration = .zero, deliver: @escaping @Sendable ([ProbeReport]) -> Void
    ) {
        self.loop = loop
        self.deliver = deliver
        self.gathering = gathering
        prober = Prober(
            loop: loop, configuration: configuration, trustStores: trustStores, examiners: examiners,
            files: names)
        toucher = Toucher(
            loop: loop, exchanges: prober.exchanges, ownRefusals: prober.ownRefusals, pinger: prober.pinger)
    }

    /// Probes by another configuration from now on.
    func configure(_ configuration: ConnectivityConfiguration) {
        prober.assumeIsolated { $0.configure(configuration) }
    }

    func use(_ path: Path) {
        prober.assumeIsolated { $0.use(path) }
    }

    func start(_ orders: [ProbeOrder]) {
        if waiting.add(orders) { startWaiting() }
    }

    private func startWaiting() {
        listen()
        for order in waiting.takeTurn() {
            // Without the preference every suspended call would go on by way of Swift's own pool of threads.
            tasks[order.id] = Task(executorPreference: loop) { await self.run(order) }
        }
        guard waiting.endTurn() else { return }
        loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.startWaiting() } }
    }

    private func listen() {
        prober.exchanges.assumeIsolated { exchanges in
            guard !exchanges.areWatched else { return }
            exchanges.watch { [weak self] report in self?.assumeIsolated { $0.take(report) } }
        }
    }

    private func run(_ order: ProbeOrder) async {
        let last: ProbeReport =
            switch order {
            case .probe(let probe): .ended(probe.id, await prober.result(of: probe))
            case .touch(let touch): .answered(touch.id, await toucher.answer(to: touch))
            case .name(let question): .answered(question.id, await prober.answer(to: question))
            }
        take(last)
        tasks[order.id] = nil
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
        reports = []
    }

    // MARK: Reports

    /// Takes a report, unless its question was cancelled.
    private func take(_ report: ProbeReport) {
        guard tasks[report.id] != nil else { return }
        reports.append(report)
        guard gathering > .zero || !report.isLast else { return handOut() }
        guard !isHandingOut else { return }
        isHandingOut = true
        loop.schedule(after: gathering) { [weak self] in
            self?.assumeIsolated { worker in
                worker.isHandingOut = false
                worker.handOut()
            }
        }
    }

    private func handOut() {
        guard !reports.isEmpty else { return }
        deliver(exchange(&reports, with: []))
    }
}
