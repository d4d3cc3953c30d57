internal import Connectivity
internal import EventLoop
internal import Probing
internal import Reachability

/// One run of a monitor, from its start to its stop: it feeds the reducer and does what comes out of it.
actor MonitorRun {
    private nonisolated let loop: EventLoop
    private let hub: EventHub
    private let configuration: ConnectivityConfiguration
    private var runner: ProbeRunner?
    private let recorder: MonitorRecorder?
    private let leaseFolders: [LeaseFolder]
    private var pathMonitor: PathMonitor?
    private var timer: (timer: LoopTimer, deadline: MonotonicTime)?
    /// Before this the timer does not fire again.
    private var rest = MonotonicTime(nanoseconds: 0)
    /// How long what falls due waits after what fell due before it: with thousands of targets a few turns are taken at a time,
    /// and neither this thread nor those that probe, nor the servers that answer, wake up for each.
    private static let gathering = Duration.milliseconds(4)
    /// Nil where the kernel refuses it.
    private var portalMonitor: PortalMonitor?
    private var traffic = TrafficSource()
    private var watchesTraffic: Bool
    /// Results that have come, taken in a few a turn of the loop: news of the kernel does not wait behind hundreds.
    private var backlog = TurnQueue<ProbeReport>(limit: 8)
    /// Whether what was told of all targets has yet to be written down for each.
    private var isCatchingUp = false
    private var hasPath = false
    private var isStopped = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        configuration: ConnectivityConfiguration, loop: EventLoop, hub: EventHub, recorder: MonitorRecorder?,
        leaseFolders: [LeaseFolder]
    ) {
        self.configuration = configuration
        self.watchesTraffic = configuration.traffic != nil
        self.leaseFolders = leaseFolders
        self.loop = loop
        self.hub = hub
        self.recorder = recorder
    }

    func start() async throws(ConnectivityError) {
        let start = hub.start(configuration, seed: .random(in: 0 ... .max), loop: loop)
        recorder?(MonitorRecord(.start(start)))
        startPortalMonitor()
        runner = ProbeRunner(loop: loop, configuration: configuration) { [weak self] reports in
            self?.assumeIsolated { $0.take(reports) }
        }
        let monitor = PathMonitor(configuration: pathConfiguration, loop: loop)
        pathMonitor = monitor
        hub.use(monitor)
        await monitor.onUpdate { [weak self] update in
            self?.assumeIsolated { $0.feed(.path(update)) }
        }
        do {
            let path = try await monitor.start()
            // An update may already have brought a later path than the one that start returned.
            if !hasPath { feed(.path(.start(path))) }
        } catch {
            throw .path(error)
        }
    }

    private var pathConfiguration: PathMonitor.Configuration {
        var configuration = PathMonitor.Configuration()
        configuration.others = self.configuration.places
        guard recorder != nil else { return configuration }
        configuration.recorder = { [weak self] record in
            self?.assumeIsolated { $0.note(record) }
        }
        return configuration
    }

    private func note(_ record: TraceRecord) {
        if !isStopped { recorder?(MonitorRecord(.path(record: record))) }
    }

    private func startPortalMonitor() {
        portalMonitor = PortalMonitor(loop: loop, configuration: configuration, leaseFolders: leaseFolders) {
            [weak self] input in
            self?.assumeIsolated { $0.feed(input) }
        }
        portalMonitor?.assumeIsolated { $0.start() }
    }

    /// - Parameter hasFailed: Whether it has never begun: those who listen go on to wait for a run.
    func stop(hasFailed: Bool = false) async {
        isStopped = true
        await portalMonitor.take()?.stop()
        timer.take().map { loop.cancel($0.timer) }
        await runner.take()?.stop()
        await pathMonitor.take()?.stop()
        hub.stop(keepsReaders: hasFailed)
    }

    /// Hands an input to the reducer, after what connections say where that is wanted first.
    func feed(_ input: ConnectivityReducer.Input) {
        guard !isStopped else { return }
        if watchesTraffic, hub.wantsTraffic(before: input, at: .now) { take(.traffic(traffic.evidence(on: hub.path))) }
        take(input)
    }

    /// Hands an input to the reducer, and does what follows from it.
    private func take(_ input: ConnectivityReducer.Input) {
        if case .path = input { hasPath = true }
        let now = Instant.now
        recorder?(MonitorRecord(.input(input, at: now)))
        let output = hub.reduce(input, at: now)
        prepare(for: input)
        if !output.cancelled.isEmpty { runner?.assumeIsolated { $0.cancel(output.cancelled) } }
        if !output.probes.isEmpty { runner?.assumeIsolated { $0.start(output.probes) } }
        if !output.touches.isEmpty { runner?.assumeIsolated { $0.touch(output.touches) } }
        if !output.names.isEmpty { runner?.assumeIsolated { $0.lookUp(output.names) } }
        if output.isUnsettled { catchUpSoon() }
        wake(at: output.wake)
        tellMonitors(of: input, output)
    }

    /// Comes last: the path monitor may have another path at once.
    private func tellMonitors(of input: ConnectivityReducer.Input, _ output: ConnectivityReducer.Output) {
        switch input {
        case .path(let update): portalMonitor?.assumeIsolated { $0.follow(update.path) }
        case .configuration(let new):
            portalMonitor?.assumeIsolated { $0.configure(new) }
            pathMonitor?.assumeIsolated { $0.ask(about: new.places) }
        case .ended, .report, .timer, .request, .portalAdvertised, .portalAnswered, .traffic: break
        }
        // Only now: over the path before this one an interface that has just become usable cannot be asked by.
        if !output.portalQuestions.isEmpty { portalMonitor?.assumeIsolated { output.portalQuestions.forEach($0.ask) } }
    }

    /// Lets the probers know what the reducer has learnt.
    private func prepare(for input: ConnectivityReducer.Input) {
        switch input {
        case .path(let update): runner?.assumeIsolated { $0.use(update.path) }
        case .configuration(let new):
            watchesTraffic = new.traffic != nil
            runner?.assumeIsolated { $0.configure(new) }
        case .ended, .report, .timer, .request, .portalAdvertised, .portalAnswered, .traffic: break
        }
    }

    private func take(_ reports: [ProbeReport]) {
        if backlog.add(reports) { takeBacklog() }
    }

    private func takeBacklog() {
        guard !isCatchingUp else { return }
        for report in backlog.takeTurn() {
            if case .ended(let id, let result) = report { feed(.ended(id, result)) } else { feed(.report(report)) }
        }
        guard backlog.endTurn(), !isStopped else { return }
        loop.schedule(after: .zero) { [weak self] in
            self?.assumeIsolated { $0.takeBacklog() }
        }
    }

    private func wake(at deadline: MonotonicTime?) {
        guard deadline != timer?.deadline else { return }
        timer.take().map { loop.cancel($0.timer) }
        guard let deadline else { return }
        let new = loop.schedule(at: max(deadline, rest)) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        timer = (new, deadline)
    }

    /// Writes down for each target what was told in one word, and takes in what has come since, once this thread has slept:
    /// whatever reads the event is often woken up on the processor that wrote it.
    private func catchUpSoon() {
        guard !isCatchingUp else { return }
        isCatchingUp = true
        rest = .now.advanced(by: Self.gathering)
        loop.schedule(at: rest) { [weak self] in
            self?.assumeIsolated { $0.catchUp() }
        }
    }

    private func catchUp() {
        isCatchingUp = false
        hub.catchUp()
        takeBacklog()
    }

    private func timerFired() {
        timer = nil
        rest = .now.advanced(by: Self.gathering)
        feed(.timer)
    }
}

extension PathUpdate {
    /// The first path of a run.
    static func start(_ path: Path) -> PathUpdate {
        PathUpdate(previous: .unknown, path: path, cause: .start, time: .now)
    }
}
