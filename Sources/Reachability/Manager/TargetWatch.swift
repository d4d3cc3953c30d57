import EventLoop
import Netlink
import NetworkAddress

/// Watches the way to a target. For a name there are two monitors: that of the host, whose changes have the name resolved
/// again, and that of the addresses it has.
actor TargetWatch {
    private let target: ReachabilityTarget
    private let loop: EventLoop
    private let general: PathMonitor
    private var specific: PathMonitor?
    private var addresses: [IPAddress] = []
    private var resolver: NameResolver?
    private var isStopped = false
    private var report: @Sendable (Path) -> Void = { _ in }

    init(_ target: ReachabilityTarget, loop: EventLoop) {
        self.target = target
        self.loop = loop
        self.general = PathMonitor(configuration: target.firstConfiguration, loop: loop)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    func start(_ report: @escaping @Sendable (Path) -> Void) async {
        guard !isStopped else { return }
        self.report = report
        await general.onUpdate { [weak self] update in
            self?.assumeIsolated { $0.hostChanged(update) }
        }
        do { _ = try await general.start() } catch { report(.unknown) }
        if isStopped { await general.stop() }
    }

    func stop() async {
        isStopped = true
        await general.stop()
        await specific?.stop()
    }

    private func hostChanged(_ update: PathUpdate) {
        guard case .domain(let name) = target else { return report(update.path) }
        guard update.path.status.isReachable else { return report(update.path) }
        guard update.isTransition || update.cause.kind == .nameServers || addresses.isEmpty else { return }
        Task { await resolve(name) }
    }

    /// Resolves the name, and watches its addresses. A name that has none is not reachable.
    private func resolve(_ name: String) async {
        let resolver = self.resolver ?? NameResolver()
        self.resolver = resolver
        let found = await resolver.addresses(of: name)
        guard !isStopped, general.currentPath.status.isReachable else { return }
        guard !found.isEmpty else { return report(Path(status: .none)) }
        guard found != addresses else { return report(specific?.currentPath ?? .unknown) }
        addresses = found
        await watch(found)
    }

    private func watch(_ addresses: [IPAddress]) async {
        await specific?.stop()
        var configuration = PathMonitor.Configuration()
        configuration.destinations = addresses
        let monitor = PathMonitor(configuration: configuration, loop: loop)
        let report = report
        await monitor.onUpdate { report($0.path) }
        specific = monitor
        do { _ = try await monitor.start() } catch { report(.unknown) }
        if isStopped { await monitor.stop() }
    }
}
