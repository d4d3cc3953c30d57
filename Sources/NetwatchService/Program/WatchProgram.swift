#if Service
package import Connectivity
import EventLoop
import Logging
import Metrics
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// `netwatch`: watches until it is told to stop, writes events, and serves them where it is asked to.
package struct WatchProgram: Sendable {
    /// What is written to standard output.
    package enum Format: Hashable, Sendable {
        case json
        case plain
        case live
        case silent
    }

    private let configuration: ConnectivityConfiguration
    private let format: Format
    private let listen: ListenAddress?

    package init(configuration: ConnectivityConfiguration, format: Format, listen: ListenAddress?) {
        self.configuration = configuration
        self.format = format
        self.listen = listen
    }

    /// Runs until SIGINT, SIGTERM, or the reader of standard output goes away.
    package func run() async throws {
        let loop = try EventLoop()
        let board = StateBoard()
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let sink = sink(output, loop)
        let watch = WatchService(
            monitor: monitor, pump: EventPump(board: board, sink: sink, loop: loop), sink: sink,
            output: format == .silent ? nil : output)
        try await group(of: watch, server: server(board, monitor, loop)).run()
    }

    private func sink(_ output: LineOutput, _ loop: EventLoop) -> any EventSink {
        switch format {
        case .json: LineSink.json(output)
        case .plain: LineSink.plain(output)
        case .silent: SilentSink()
        case .live:
            LiveView(
                output: output, terminal: Terminal(),
                style: Style(environment: Environment.values("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG")),
                title: StandardStreams.hostName, loop: loop)
        }
    }

    private func server(_ board: StateBoard, _ monitor: ConnectivityMonitor, _ loop: EventLoop) -> HTTPService? {
        guard let listen else { return nil }
        let registry = MetricRegistry()
        MetricsSystem.bootstrap(registry)
        return HTTPService(
            address: listen, board: board, statistics: { monitor.statistics }, loopCheck: LoopCheck(loop),
            registry: registry, logger: Self.logger
        ) { address in
            StandardStreams.tell("listening on http://\(address)/")
        }
    }

    private func group(of watch: WatchService, server: HTTPService?) -> ServiceGroup {
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: watch, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "watch")
        ]
        if let server {
            services.append(
                .init(
                    service: server, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "http"))
        }
        var configuration = ServiceGroupConfiguration(services: services, logger: Self.logger)
        configuration.gracefulShutdownSignals = [.sigint, .sigterm]
        return ServiceGroup(configuration: configuration)
    }

    /// What the libraries have to say is for those who look for a fault: nothing of it unless it is an error.
    private static var logger: Logger {
        var logger = Logger(label: "netwatch", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        return logger
    }
}
#endif
