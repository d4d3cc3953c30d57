#if Service
package import Connectivity
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The program's HTTP server. It runs on a thread of its own, so that no request delays the watcher.
///
/// Hummingbird's `Application` formats the date once a second, asked or not; this one does it for an answer.
package struct HTTPService: Service {
    /// A header line or all of them may not be longer. Nothing here needs long ones.
    private static let headerLimit = 16 * 1024
    private static let idleTimeout = TimeAmount.seconds(75)
    /// How long the watcher's loop may take to turn before `/livez` fails.
    private static let loopLimit = TimeAmount.seconds(2)

    /// The server's thread. It stays until the process ends: a connection may still give things back to it when the server has
    /// ended, which NIO takes for a fault once its thread has.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let address: ListenAddress
    private let executor: any TaskExecutor
    private let responder: any HTTPResponder<BasicRequestContext>
    private let logger: Logger
    private let whenListening: @Sendable (ListenAddress) -> Void

    /// - Parameters:
    ///   - executor: Where requests are answered: not on the watcher's loop.
    ///   - state: Asks the monitor for the state as it is.
    ///   - statistics: Asks the monitor for its counts.
    ///   - netlink: Asks the monitor what it has heard from the kernel.
    ///   - whenListening: Told the address with the port that the kernel chose where 0 was asked for.
    package init(
        address: ListenAddress, board: StateBoard, state: @escaping @Sendable () -> Event,
        statistics: @escaping @Sendable () -> ConnectivityStatistics,
        netlink: @escaping @Sendable () -> NetlinkReport, loopCheck: LoopCheck, registry: MetricRegistry,
        executor: any TaskExecutor, logger: Logger,
        whenListening: @escaping @Sendable (ListenAddress) -> Void
    ) {
        let routes = StateRoutes(
            board: board, state: state, statistics: statistics, netlink: netlink,
            isLoopAlive: {
                await loopCheck.isAlive { end in _ = Self.group.next().scheduleTask(in: Self.loopLimit) { end() } }
            },
            registry: registry, version: Version.current, host: StandardStreams.hostName)
        self.executor = executor
        self.address = address
        self.responder = routes.router.buildResponder()
        self.logger = logger
        self.whenListening = whenListening
    }

    package func run() async throws {
        do {
            // Swift's pool of threads would wake up once a second for ever after.
            try await withTaskExecutorPreference(executor) { try await server().run() }
        } catch let error as IOError {
            throw ListenError(address: address, errno: error.errnoCode)
        }
    }

    private func server() throws -> any Service {
        try HTTPServerBuilder.http1(configuration: channelConfiguration).buildServer(
            configuration: .init(
                address: .hostname("\(address.host)", port: Int(address.port)), serverName: "netwatch"),
            eventLoopGroup: Self.group, logger: logger, responder: respond, onServerRunning: announce)
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        .init(
            idleTimeout: Self.idleTimeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.headerLimit, maxHeaderListSize: Self.headerLimit, maxHeaderFieldCount: 100))
    }

    @concurrent @Sendable private func respond(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch {
            response = .text("this request cannot be answered\n", status: .internalServerError)
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
        }
        response.headers[.date] = WallClock.httpDate()
        response.headers[.server] = "netwatch"
        try await writer.write(response: response.head, body: response.body)
    }

    @Sendable private func announce(_ channel: any Channel) async {
        let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? address.port
        whenListening(ListenAddress(host: address.host, port: port))
    }
}
#endif
