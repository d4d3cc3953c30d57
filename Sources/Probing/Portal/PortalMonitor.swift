package import Connectivity
package import EventLoop
internal import Netlink
package import Reachability

/// Tells the reducer what networks advertise of their portals, and asks the portals' APIs for it.
package actor PortalMonitor {
    private nonisolated let loop: EventLoop
    private let sources: PortalSources
    private let tell: @Sendable (ConnectivityReducer.Input) -> Void
    private var configuration: ConnectivityConfiguration
    private var path = Path.unknown
    /// Made with the first question: most networks have no portal. On a loop of its own, because its handshake and its answer
    /// take as long as a portal likes.
    private var prober: Prober?
    private var questions: [UInt64: Task<Void, Never>] = [:]

    /// How long a stop waits for the prober's thread.
    private static let patience: Duration = .seconds(1)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Nil where the kernel refuses to tell what routers advertise. Made on the loop's thread, in its network namespace.
    package init?(
        loop: EventLoop, configuration: ConnectivityConfiguration, leaseFolders: [LeaseFolder],
        tell: @escaping @Sendable (ConnectivityReducer.Input) -> Void
    ) {
        guard
            let sources = try? PortalSources(
                loop: loop, folders: leaseFolders, configured: configuration.portalAPIs)
        else { return nil }
        self.loop = loop
        self.sources = sources
        self.configuration = configuration
        self.tell = tell
    }

    package func start() {
        sources.start { [weak self] in
            self?.assumeIsolated { $0.report($0.sources.drain()) }
        }
    }

    /// Gives up all questions, and returns when the thread that asked them is gone with what TLS keeps for it.
    package func stop() async {
        sources.stop()
        questions.values.forEach { $0.cancel() }
        questions = [:]
        let end = prober?.loop.claimEnd()
        prober = nil
        await end?.wait(until: .now.advanced(by: Self.patience), on: loop)
    }

    /// Takes note of another path, and of what the leases say of its networks.
    package func follow(_ path: Path) {
        self.path = path
        report(sources.follow(path))
    }

    /// Asks by another configuration from now on.
    package func configure(_ configuration: ConnectivityConfiguration) {
        self.configuration = configuration
        if let prober { Task(executorPreference: prober.loop) { await prober.configure(configuration) } }
        report(sources.use(configuration.portalAPIs))
    }

    package func ask(_ question: PortalQuestion) {
        let prober = readyProber()
        questions[question.id] = Task(executorPreference: prober.loop) { [path] in
            await prober.use(path)
            await self.put(question, to: prober)
        }
    }

    private func put(_ question: PortalQuestion, to prober: Prober) async {
        let answer = await PortalInquiry(prober: prober).answer(to: question)
        if questions.removeValue(forKey: question.id) != nil { tell(.portalAnswered(answer)) }
    }

    private func report(_ news: [PortalSources.News]) {
        for news in news { tell(.portalAdvertised(news.index, api: news.api)) }
    }

    private func readyProber() -> Prober {
        if let prober { return prober }
        // From the monitor's thread, so that the new one is in the same network namespace.
        let new = Prober(loop: (try? EventLoop(name: "netwatch-portal")) ?? loop, configuration: configuration)
        prober = new
        return new
    }
}
