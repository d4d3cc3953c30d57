import Connectivity
package import EventLoop
import Glibc
import History
import Logging
import Netwatch
import ServiceLifecycle
import SystemPackage

/// `netwatch serve`: watches as a service does, by a file, and tells the log, the service's manager and HTTP clients.
package struct ServeProgram: Sendable {
    /// What is written to standard output, which is the log.
    package enum Format: Hashable, Sendable {
        case plain, json, silent
    }

    /// The signals it handles: to be blocked before any thread is started. SIGINT is not among them where it was
    /// ignored from the start (``SignalSource/ends``).
    package static var signals: [CInt] {
        [SIGINT, SIGTERM, SIGHUP].filter { $0 != SIGINT || !SignalSource.isIgnored($0) }
    }

    private let source: ConfigurationSource
    private let format: Format

    package init(source: ConfigurationSource, format: Format) {
        self.source = source
        self.format = format
    }

    /// Runs until SIGINT or SIGTERM. SIGHUP reads the configuration anew.
    package func run(on loop: EventLoop) async throws {
        DescriptorLimit.raise()
        let loaded = try source.load()
        let own = Self.descriptors(loaded.service)
        let descriptors = try DescriptorLimit.forServing(besides: own)
        loaded.warnings.forEach(StandardStreams.tell)
        let manager = ServiceManager.current
        let monitor = ConnectivityMonitor(configuration: loaded.monitor, loop: loop)
        let board = StateBoard()
        let history = HistoryKeeping.begin(loaded.service.history, monitor)
        let origin = EventOrigin(loaded.service, run: history?.run ?? UInt64(clamping: TimeText.seconds))
        let state = ServedState(
            board: board, monitor: monitor, loop: loop, origin: origin, history: history,
            modules: loaded.service.modules, hasHistograms: loaded.service.targetHistograms)
        let exporters = try Exporters(
            loaded.service, origin: origin, monitor: monitor, history: history,
            metrics: { state.families(version: NetwatchVersion.current) })
        let access = AccessRules(hosts: loaded.service.hosts, token: loaded.token)
        let reloader = Reloader(
            source, current: loaded, monitor: monitor, access: access, telling: exporters.telling, manager: manager,
            loop: loop)
        let executor = try ServerThreads.loop()
        let endpoints = Self.endpoints(loaded.service)
        let notice = StartNotice(manager, endpoints: endpoints.count, loop: loop)
        let server = HTTPServer(
            endpoints: endpoints,
            state: state.reporting { exporters.health }, access: access,
            limits: ConnectionLimits(
                connections: loaded.service.maximumConnections, readers: loaded.service.maximumReaders,
                descriptors: descriptors - own),
            reload: { await reloader.reload() }, executor: executor, logger: WatchProgram.logger
        ) {
            StandardStreams.tell("listening on \($0)")
            notice?.listens()
        }
        let watch = try watch(monitor, board, notice, (origin, exporters, history), loop)
        let group = WatchProgram.group(of: watch, server: server)
        let reserve = DescriptorReserve()
        let signals = try SignalSource(Self.signals, loop: loop) { signal in
            guard signal != SIGHUP else {
                Task(executorPreference: executor) { _ = await reloader.reload() }
                return
            }
            StopDeadline.begin()
            reserve.release()
            manager?.stopping()
            Task(executorPreference: loop) { await group.triggerGracefulShutdown() }
        }
        let watchdog = Watchdog(manager, loop: loop)
        defer { withExtendedLifetime((signals, watchdog)) {} }
        var failure: (any Error)?
        do { try await group.run() } catch { failure = error }
        // First the exporters: what they have delivered is noted in the history.
        await exporters.finish()
        await history?.close()
        if let failure { throw failure }
    }

    private func watch(
        _ monitor: ConnectivityMonitor, _ board: StateBoard, _ notice: StartNotice?,
        _ elsewhere: (origin: EventOrigin, exporters: Exporters, history: History?), _ loop: EventLoop
    ) throws -> WatchService {
        let log = format == .silent ? nil : try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let journal = format == .plain ? Journal.ofStandardOutput : nil
        let service = ServiceSink(
            log: log, journal: journal, isJSON: format == .json, origin: elsewhere.origin, notice: notice, loop: loop)
        let exporting = ExportingSink(sink: service, exporters: elsewhere.exporters)
        let sink: any EventSink =
            elsewhere.history.map { HistorySink(history: $0, origin: elsewhere.origin, next: exporting) } ?? exporting
        let pump = EventPump(board: board, sink: sink, results: elsewhere.history != nil, loop: loop)
        return WatchService(monitor: monitor, pump: pump, sink: sink, output: nil, view: nil)
    }

    /// How many descriptors are open at most for what the configuration asks for: a second listener and its file, the history,
    /// the loops and connections of what is told elsewhere.
    static func descriptors(_ service: ServiceConfiguration) -> Int {
        2 * service.listen.count + (HistoryPlace.path(service.history) == nil ? 0 : History.descriptors)
            + Telling.descriptors(service) + Exporters.descriptors(service)
    }

    private static func endpoints(_ service: ServiceConfiguration) -> [Endpoint] {
        let addresses = service.listen.map(Endpoint.tcp)
        switch service.socket {
        case .none: return addresses
        case .path(let path): return addresses + [.unix(path)]
        case .usual:
            if let path = ServiceConfiguration.Socket.preparedUsualPath() { return addresses + [.unix(path)] }
            StandardStreams.tell(
                "there is no \(ServiceConfiguration.Socket.usualPath), which this user may not make: netwatch reload needs service.socket"
            )
            return addresses
        }
    }
}
