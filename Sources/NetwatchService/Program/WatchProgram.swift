package import Connectivity
package import EventLoop
import Glibc
import Logging
internal import Netwatch
import ServiceLifecycle
import SystemPackage

/// `netwatch`: watches until it is told to stop, writes events, and serves them where it is asked to.
package struct WatchProgram: Sendable {
    /// What is written to standard output.
    package enum Format: Hashable, Sendable {
        case json
        case plain
        case live
        case silent
    }

    /// The signals it handles: to be blocked before any thread is started.
    package var signals: [CInt] { SignalSource.ends + (format == .live ? [SIGWINCH, SIGTSTP, SIGCONT] : []) }

    private let configuration: ConnectivityConfiguration
    private let format: Format
    private let results: Bool
    private let listen: ListenAddress?

    /// - Parameter results: Whether the end of each probe is written, too.
    package init(
        configuration: ConnectivityConfiguration, format: Format, results: Bool = false, listen: ListenAddress?
    ) {
        self.configuration = configuration
        self.results = results
        self.format = format
        self.listen = listen
    }

    /// Runs until SIGINT, SIGTERM, SIGHUP, or the reader of standard output goes away.
    package func run(on loop: EventLoop) async throws {
        let board = StateBoard()
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let view = format == .live ? liveView(output, monitor, loop) : nil
        let sink = view ?? plainSink(output)
        let watch = WatchService(
            monitor: monitor, pump: EventPump(board: board, sink: sink, results: results, loop: loop), sink: sink,
            output: format == .silent ? nil : output, view: view)
        let group = Self.group(of: watch, server: try server(board, monitor, loop))
        let reserve = DescriptorReserve()
        let signals = try SignalSource(signals, loop: loop) { signal in
            if SignalSource.ends.contains(signal) {
                JobControl.beginEnd()
                StopDeadline.begin()
                reserve.release()
            } else if JobControl.isEnding {
                // The terminal is given back, and not to be taken again.
                return
            }
            Task(executorPreference: loop) {
                switch signal {
                case SIGWINCH: await view?.windowChanged()
                case SIGTSTP: await view?.suspend()
                case SIGCONT: await view?.resume()
                default: await group.triggerGracefulShutdown()
                }
            }
        }
        defer { withExtendedLifetime(signals) {} }
        try await group.run()
    }

    private func plainSink(_ output: LineOutput) -> any EventSink {
        switch format {
        case .json: LineSink(output: output, isJSON: true)
        case .plain, .live: LineSink(output: output, isJSON: false)
        case .silent: SilentSink()
        }
    }

    private func liveView(_ output: LineOutput, _ monitor: ConnectivityMonitor, _ loop: EventLoop) -> LiveView {
        LiveView(
            output: output, terminal: Terminal(),
            style: Style(environment: Environment.values("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG")),
            title: StandardStreams.hostName, state: { monitor.current }, loop: loop)
    }

    private func server(_ board: StateBoard, _ monitor: ConnectivityMonitor, _ loop: EventLoop) throws -> HTTPServer? {
        guard let listen else { return nil }
        return HTTPServer(
            endpoints: [.tcp(listen)],
            state: ServedState(board: board, monitor: monitor, loop: loop), access: AccessRules(),
            limits: ConnectionLimits(descriptors: try DescriptorLimit.forServing()),
            executor: try ServerThreads.loop(), logger: Self.logger
        ) { StandardStreams.tell("listening on \($0)") }
    }

    static func group(of watch: WatchService, server: HTTPServer?) -> ServiceGroup {
        var services = [service(watch, "watch")]
        services += (server?.services ?? []).map { service($0, "http") }
        return ServiceGroup(configuration: .init(services: services, logger: logger))
    }

    /// The end of one service is the end of all, in order.
    private static func service(
        _ service: any Service, _ name: String
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: name)
    }

    /// The libraries' log is for finding faults: nothing of it is shown unless it is an error.
    static var logger: Logger {
        var logger = Logger(label: "netwatch", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        return logger
    }
}
