import Connectivity
import EventLoop
import Netwatch

/// Reads the configuration anew when it is asked to, and has it used; a bad one changes nothing.
actor Reloader {
    private let source: ConfigurationSource
    private let monitor: ConnectivityMonitor
    private let access: AccessRules
    private let telling: Telling
    private let manager: ServiceManager?
    private let loop: EventLoop
    private var current: LoadedConfiguration
    private var isBusy = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(
        _ source: ConfigurationSource, current: LoadedConfiguration, monitor: ConnectivityMonitor, access: AccessRules,
        telling: Telling, manager: ServiceManager?, loop: EventLoop
    ) {
        self.source = source
        self.current = current
        self.monitor = monitor
        self.access = access
        self.telling = telling
        self.manager = manager
        self.loop = loop
        Self.count(isGood: true)
    }

    /// One after the other, each with what the file says in its turn. The log tells what came of it.
    func reload() async -> ReloadOutcome {
        while isBusy { await withCheckedContinuation { waiters.append($0) } }
        isBusy = true
        defer {
            isBusy = false
            let next = waiters
            waiters = []
            next.forEach { $0.resume() }
        }
        manager?.reloading()
        let outcome = await outcome()
        Self.count(isGood: !outcome.isRefused)
        outcome.lines.forEach { StandardStreams.tell("configuration: \($0)") }
        manager?.ready(ServiceSink.status(monitor.current), on: loop)
        return outcome
    }

    private func outcome() async -> ReloadOutcome {
        do {
            let new = try source.load()
            let changes = ConfigurationChange.lines(from: current.monitor, to: new.monitor)
            // What may fail for want of threads and descriptors goes first: what is refused is to have changed nothing.
            try new.monitor.validate()
            var wanted = current.service
            (wanted.hooks, wanted.webhooks) = (new.service.hooks, new.service.webhooks)
            // What would be too much for a start is too much here.
            try DescriptorLimit.check(besides: ServeProgram.descriptors(wanted))
            try telling.change(to: new.service)
            if new.monitor != current.monitor { try await monitor.configure(new.monitor) }
            return take(new, changes)
        } catch {
            return ReloadOutcome(refusal: "\(error)")
        }
    }

    private func take(_ new: LoadedConfiguration, _ changes: [String]) -> ReloadOutcome {
        // What listens stays: a socket that is closed and opened again refuses connections meanwhile.
        var now = current.service
        (now.hosts, now.hooks, now.webhooks) = (new.service.hosts, new.service.hooks, new.service.webhooks)
        (now.tokenFile, now.openToAll) = (new.service.tokenFile, new.service.openToAll)
        var token = new.token
        if now.openAddress != nil {
            // The other file needs no token where it listens: what listens still would lose its only guard.
            (now.tokenFile, now.openToAll) = (current.service.tokenFile, current.service.openToAll)
            token = access.token
        }
        let isOther = now.tokenFile == current.service.tokenFile && token != access.token
        access.change(hosts: now.hosts, token: token)
        let outcome = ReloadOutcome(
            changes: changes + ConfigurationChange.lines(from: current.service, to: now)
                + (isOther ? ["service.tokenFile: another token is in it"] : []),
            waiting: ConfigurationChange.lines(from: now, to: new.service), warnings: new.warnings)
        current = new.running(now)
        return outcome
    }

    private static func count(isGood: Bool) {
        Gauge("netwatch_config_last_reload_successful").record(isGood ? 1 : 0)
        guard isGood else { return }
        Gauge("netwatch_config_last_reload_success_timestamp_seconds").record(TimeText.seconds)
    }
}
