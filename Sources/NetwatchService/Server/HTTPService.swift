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
    /// What is longer is not even parsed.
    private static let parserLimit = 64 * 1024
    /// All header fields together may not be longer. Nothing here needs long ones.
    private static let headerLimit = 16 * 1024
    /// Longer addresses lead nowhere here.
    private static let addressLimit = 8 * 1024
    /// How long the watcher's loop may take to turn before `/livez` fails.
    private static let loopLimit = TimeAmount.seconds(2)

    /// The server's thread. It stays until the process ends: a connection may still give things back to it when the server has
    /// ended, which NIO takes for a fault once its thread has.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let address: ListenAddress
    private let executor: any TaskExecutor
    private let limits: ConnectionLimits
    private let table: NIOLoopBoundBox<ConnectionTable>
    private let hostCheck: HostCheck
    private let responder: any HTTPResponder<BasicRequestContext>
    private let logger: Logger
    private let whenListening: @Sendable (ListenAddress) -> Void

    /// - Parameters:
    ///   - limits: How many connections it keeps, and how long each may take.
    ///   - executor: Where requests are answered: not on the watcher's loop.
    ///   - state: Asks the monitor for the state as it is.
    ///   - statistics: Asks the monitor for its counts.
    ///   - netlink: Asks the monitor what it has heard from the kernel.
    ///   - whenListening: Told the address with the port that the kernel chose where 0 was asked for.
    package init(
        address: ListenAddress, board: StateBoard, state: @escaping @Sendable () -> Event,
        statistics: @escaping @Sendable () -> ConnectivityStatistics,
        netlink: @escaping @Sendable () -> NetlinkReport, loopCheck: LoopCheck, registry: MetricRegistry,
        limits: ConnectionLimits, executor: any TaskExecutor, logger: Logger,
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
        self.limits = limits
        self.table = .makeBoxSendingValue(ConnectionTable(limit: limits.connections), eventLoop: Self.group.next())
        self.hostCheck = HostCheck(names: [StandardStreams.hostName])
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
        Server(
            childChannelSetup: GuardedHTTPChannel(
                http: HTTP1Channel(responder: respond, configuration: channelConfiguration), limits: limits,
                table: table),
            configuration: .init(
                address: .hostname("\(address.host)", port: Int(address.port)), serverName: "netwatch"),
            onServerRunning: announce, eventLoopGroup: Self.group, logger: logger)
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        .init(
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.parserLimit, maxHeaderListSize: Self.parserLimit, maxHeaderFieldCount: 100))
    }

    @concurrent @Sendable private func respond(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var response =
            if let refusal = refusal(of: request) { refusal.response(to: request) } else {
                await answer(request, channel)
            }
        response.headers.append(contentsOf: HTTPFields.guarding)
        response.headers[.date] = WallClock.httpDate()
        response.headers[.server] = "netwatch"
        if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
        try await writer.write(response: response.head, body: response.body)
    }

    /// What is said to a request that is not even looked at.
    private func refusal(of request: Request) -> Answer? {
        guard request.uri.string.utf8.count <= Self.addressLimit else {
            return .text("the address is too long\n", status: .uriTooLong)
        }
        guard request.headers.reduce(0, { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }) <= Self.headerLimit
        else {
            return .text("the header is too long\n", status: .requestHeaderFieldsTooLarge)
        }
        switch hostCheck.verdict(on: request) {
        case .malformed: return .text("one Host field with this host's address is needed\n", status: .badRequest)
        case .foreign:
            return .text(
                "this is not the host of that name; ask by its address, by localhost or by its own name\n",
                status: .misdirectedRequest)
        case .mine: return nil
        }
    }

    private func answer(_ request: Request, _ channel: any Channel) async -> Response {
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        do {
            let response = try await responder.respond(to: request, context: context)
            // A route that has nothing to show says so itself.
            guard response.status == .notFound, response.body.contentLength == 0 else { return response }
            return StateRoutes.missing(request).response(to: request)
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return Answer.text("this request cannot be answered\n", status: .internalServerError).response(to: request)
        }
    }

    @Sendable private func announce(_ channel: any Channel) async {
        let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? address.port
        whenListening(ListenAddress(host: address.host, port: port))
    }
}
#endif
