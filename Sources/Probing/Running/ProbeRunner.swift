package import Connectivity
package import EventLoop
internal import Glibc
package import Reachability
internal import RequestEngine
package import Resolver

/// Runs a monitor's probes, touches and look-ups: on the monitor's own loop while they are few, and on loops of their own where they are many or
/// speak TLS, so that news of the kernel never waits behind a handshake.
package actor ProbeRunner {
    private nonisolated let loop: EventLoop
    private let deliver: @Sendable ([ProbeReport]) -> Void
    private var configuration: ConnectivityConfiguration
    private var load: ProbeLoad
    private var path = Path.unknown
    private let names: NameFiles
    private let trustStores = TrustStores()
    private let examiners = BodyExaminers()
    private var local: ProbeWorker
    private(set) var shards: [Shard] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// A worker on a loop of its own. It is told what to do by that loop's jobs, in their order.
    struct Shard {
        let loop: EventLoop
        let worker: ProbeWorker

        func tell(_ order: @escaping @Sendable (isolated ProbeWorker) -> Void) {
            loop.schedule(after: .zero) { [worker] in worker.assumeIsolated { order($0) } }
        }
    }

    /// The processors of this host, counted once: to ask is to read a file of the kernel's, at a time when a change waits to
    /// be told.
    private static let processors = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    /// How long a shard gathers reports, so that they do not wake the monitor one by one.
    private static let gathering: Duration = .milliseconds(4)

    /// How long a stop waits for the shards.
    private static let patience: Duration = .seconds(1)

    /// - Parameters:
    ///   - names: How this host looks names up.
    ///   - deliver: Takes what is told, in its order for each question, on the monitor's loop.
    package init(
        loop: EventLoop, configuration: ConnectivityConfiguration, names: NameFiles = NameFiles(),
        deliver: @escaping @Sendable ([ProbeReport]) -> Void
    ) {
        self.loop = loop
        self.names = names
        self.configuration = configuration
        self.load = ProbeLoad(configuration)
        self.deliver = deliver
        local = ProbeWorker(
            loop: loop, configuration: configuration, trustStores: trustStores, examiners: examiners, names: names,
            deliver: deliver)
    }

    package func use(_ path: Path) {
        self.path = path
        fitShards()
        local.assumeIsolated { $0.use(path) }
        for shard in shards { shard.tell { $0.use(path) } }
    }

    package func configure(_ configuration: ConnectivityConfiguration) {
        self.configuration = configuration
        load = ProbeLoad(configuration)
        examiners.renew()
        local.assumeIsolated { $0.configure(configuration) }
        for shard in shards { shard.tell { $0.configure(configuration) } }
        fitShards()
    }

    package func start(_ probes: [Probe]) {
        start(probes.map(ProbeOrder.probe))
    }

    package func touch(_ touches: [Touch]) {
        start(touches.map(ProbeOrder.touch))
    }

    package func lookUp(_ questions: [NameQuestion]) {
        start(questions.map(ProbeOrder.name))
    }

    private func start(_ orders: [ProbeOrder]) {
        // Without a way out there still are targets on this host's own links.
        if shards.isEmpty, load.isSecure, let shard = makeShard() { shards.append(shard) }
        guard !shards.isEmpty else { return local.assumeIsolated { $0.start(orders) } }
        for (index, shard) in shards.enumerated() {
            let share = shards.count == 1 ? orders : orders.filter { $0.id % UInt64(shards.count) == index }
            if !share.isEmpty { shard.tell { $0.start(share) } }
        }
    }

    /// Gives up probes, touches and look-ups, of which nothing more is told.
    package func cancel(_ probes: [Probe.ID]) {
        guard !probes.isEmpty else { return }
        local.assumeIsolated { $0.cancel(probes) }
        for shard in shards { shard.tell { $0.cancel(probes) } }
    }

    /// Ends all probes, and returns when the shards' threads are gone with what TLS keeps for them.
    package func stop() async {
        let deadline = MonotonicTime.now.advanced(by: Self.patience)
        for end in endAll() { await end.wait(until: deadline, on: loop) }
    }

    private func endAll() -> [EventLoopEnd] {
        local.assumeIsolated { $0.stop() }
        for shard in shards { shard.tell { $0.stop() } }
        defer { shards = [] }
        return shards.compactMap { $0.loop.claimEnd() }
    }

    /// Makes the loops that the work needs. They are not ended before the run is: what is under way goes on there.
    private func fitShards() {
        guard path.status.isReachable else { return }
        let wanted = load.loops(of: Self.processors, lanes: path.expectedLanes(for: configuration))
        while shards.count < wanted, let shard = makeShard() { shards.append(shard) }
    }

    /// On the monitor's thread, so that the new one is in the same network namespace. Without a thread to be had the work
    /// is done by those there are.
    private func makeShard() -> Shard? {
        guard let shardLoop = try? EventLoop(name: "netwatch-probes") else { return nil }
        let worker = ProbeWorker(
            loop: shardLoop, configuration: configuration, trustStores: trustStores, examiners: examiners,
            names: names, gathering: Self.gathering
        ) { [loop, weak self] reports in
            loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.deliver(reports) } }
        }
        let shard = Shard(loop: shardLoop, worker: worker)
        // Behind the thread that tells what has changed, where processors are scarce.
        shardLoop.schedule(after: .zero) { ThreadScheduling.goLast() }
        shard.tell { [path] in $0.use(path) }
        return shard
    }
}
