import EventLoop
import Netlink
import NetworkAddress

/// Watches the way to a target. For a name there are two monitors: that of the host, whose changes have the name resolved
/// again, and that of the addresses it has.
actor TargetWatch {
    /// Gives the addresses of a name: none where it has none, nil where that could not be asked.
    typealias Lookup = @Sendable (_ name: String) async -> [IPAddress]?

    private let target: ReachabilityTarget
    private let loop: EventLoop
    private let general: PathMonitor
    private var specific: PathMonitor?
    private var addresses: [IPAddress] = []
    private let lookup: Lookup?
    private var resolver: NameResolver?
    private var pause = LookupPause()
    /// Has the name asked for again that could not be.
    private var timer: LoopTimer?
    private var isStopped = false
    private var report: @Sendable (Path) -> Void = { _ in }

    /// - Parameters:
    ///   - general: Watches the host's way out, or the way to the target's address; one of its own, where it is nil.
    ///   - lookup: How to resolve a name; as the system does, where it is nil.
    init(_ target: ReachabilityTarget, loop: EventLoop, general: PathMonitor? = nil, lookup: Lookup? = nil) {
        self.target = target
        self.loop = loop
        self.lookup = lookup
        self.general = general ?? PathMonitor(configuration: target.firstConfiguration, loop: loop)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    func start(_ report: @escaping @Sendable (Path) -> Void) async {
        guard !isStopped else { return }
        self.report = report
        await general.onUpdate { [weak self] update in
            self?.assumeIsolated { $0.hostChanged(update) }
        }
        await begin()
    }

    /// Starts, and tries again after a while where the kernel refuses, as for want of descriptors.
    private func begin() async {
        guard !isStopped else { return }
        do {
            _ = try await general.start()
        } catch {
            report(.unknown)
            tryAgain { $0.beginAgain() }
        }
        if isStopped { await general.stop() }
    }

    private func beginAgain() {
        Task { await begin() }
    }

    func stop() async {
        isStopped = true
        cancelTimer()
        await general.stop()
        await specific?.stop()
    }

    private func hostChanged(_ update: PathUpdate) {
        guard case .domain(let name) = target else { return report(update.path) }
        // Its addresses may be on this host's own links: once they are known they decide, and not the way out.
        if !update.path.status.isReachable, addresses.isEmpty { report(update.path) }
        // An update that tells of several things at once, as after a sleep, has the cause of one of them.
        let hasOtherServers = update.previous.nameServers != update.path.nameServers
        guard update.isTransition || hasOtherServers || addresses.isEmpty else { return }
        pause = LookupPause()
        ask(for: name)
    }

    private func ask(for name: String) {
        cancelTimer()
        Task { await resolve(name) }
    }

    /// Asks for the name again after a while, since nothing else tells that a name server can be asked by now.
    private func askAgain(for name: String) {
        tryAgain { $0.ask(for: name) }
    }

    private func tryAgain(_ attempt: @escaping @Sendable (isolated TargetWatch) -> Void) {
        cancelTimer()
        guard !isStopped else { return }
        timer = loop.schedule(after: pause.next()) { [weak self] in self?.assumeIsolated(attempt) }
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Resolves the name, and watches its addresses. A name that has none is not reachable; where that cannot be asked, those
    /// it had are taken to be its addresses still.
    private func resolve(_ name: String) async {
        let answer = await lookUp(name)
        guard !isStopped else { return }
        guard let found = answer else {
            // Without a way out the next change of the path has it asked for again.
            if general.currentPath.status.isReachable { askAgain(for: name) }
            return report(specific?.currentPath ?? Path(status: .none))
        }
        cancelTimer()
        guard !found.isEmpty else { return await forgetAddresses() }
        guard found != addresses else { return report(specific?.currentPath ?? .unknown) }
        addresses = found
        await watch(found, of: name)
    }

    /// The name has none any more.
    private func forgetAddresses() async {
        pause = LookupPause()
        addresses = []
        let old = specific.take()
        report(Path(status: .none))
        await old?.stop()
    }

    private func lookUp(_ name: String) async -> [IPAddress]? {
        if let lookup { return await lookup(name) }
        if resolver == nil { resolver = NameResolver() }
        return await resolver?.addresses(of: name)
    }

    private func watch(_ addresses: [IPAddress], of name: String) async {
        await specific?.stop()
        var configuration = PathMonitor.Configuration()
        configuration.destinations = addresses
        let monitor = PathMonitor(configuration: configuration, loop: loop)
        let report = report
        await monitor.onUpdate { report($0.path) }
        specific = monitor
        do {
            _ = try await monitor.start()
            pause = LookupPause()
        } catch {
            report(.unknown)
            if specific === monitor {
                // What could not be watched is not known, and is looked at again.
                (specific, self.addresses) = (nil, [])
                askAgain(for: name)
            }
        }
        if isStopped { await monitor.stop() }
    }
}
