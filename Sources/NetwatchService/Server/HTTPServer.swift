import EventLoop
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import Netwatch
import ServiceLifecycle

import enum RequestEngine.HTTPDate

/// The program's HTTP server. It runs on a thread of its own, so that no request delays the watcher.
///
/// Hummingbird's `Application` formats the date once a second, asked or not; this one does it for an answer.
package struct HTTPServer: Sendable {
    /// A header may not have more fields.
    static let mostFields = 100
    /// What is longer is not even parsed.
    private static let parserLimit = 64 * 1024
    /// All header fields together may not be longer. Nothing here needs long ones.
    private static let headerLimit = 16 * 1024
    /// Longer addresses lead nowhere here.
    private static let addressLimit = 8 * 1024
    static let longAddress = "the address is too long\n"
    /// How long the watcher's loop may take to turn before `/livez` fails.
    private static let loopLimit = TimeAmount.seconds(2)

    /// The server's thread. It stays until the process ends: a connection may still give things back to it when the server has
    /// ended, which NIO takes for a fault once its thread has.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let endpoints: [Endpoint]
    private let executor: any TaskExecutor
    private let limits: ConnectionLimits
    private let table: NIOLoopBoundBox<ConnectionTable>
    private let access: AccessRules
    private let responder: any HTTPResponder<BasicRequestContext>
    private let state: ServedState
    private let readers: ReaderCount
    private let reload: (@Sendable () async -> ReloadOutcome)?
    private let logger: Logger
    private let whenListening: @Sendable (Endpoint) -> Void

    /// - Parameters:
    ///   - access: Which clients it answers.
    ///   - limits: How many connections it keeps, and how long each may take.
    ///   - reload: Reads the configuration anew, where a client of a Unix socket asks for it; nil where that is not possible.
    ///   - executor: Where requests are answered: not on the watcher's loop.
    ///   - whenListening: Told each endpoint, with the port that the kernel chose where 0 was asked for.
    package init(
        endpoints: [Endpoint], state: ServedState, access: AccessRules, limits: ConnectionLimits,
        reload: (@Sendable () async -> ReloadOutcome)? = nil, executor: any TaskExecutor, logger: Logger,
        whenListening: @escaping @Sendable (Endpoint) -> Void
    ) {
        let routes = StateRoutes(
            state: state,
            isLoopAlive: {
                await state.isLoopAlive { end in
                    _ = Self.group.next().scheduleTask(in: Self.loopLimit) { end() }
                }
            },
            version: NetwatchVersion.current, host: StandardStreams.hostName)
        Self.group.next().execute { ThreadScheduling.goLast() }
        self.endpoints = endpoints
        self.executor = executor
        self.limits = limits
        self.table = .makeBoxSendingValue(ConnectionTable(limit: limits.connections), eventLoop: Self.group.next())
        self.access = access
        self.responder = routes.router.buildResponder()
        self.state = state
        self.readers = ReaderCount(limit: limits.readers)
        self.reload = reload
        self.logger = logger
        self.whenListening = whenListening
    }

    /// A service for each endpoint. The end of one is to be the end of all.
    var services: [any Service] { endpoints.map { EndpointService(server: self, endpoint: $0) } }

    fileprivate func serve(_ endpoint: Endpoint) async throws {
        let socket = if case .unix(let path) = endpoint { try UnixSocket(path) } else { UnixSocket?.none }
        do {
            // Swift's pool of threads would wake up once a second for ever after.
            try await withTaskExecutorPreference(executor) { try await server(endpoint, socket).run() }
        } catch let error as IOError {
            throw ListenError(endpoint: endpoint, errno: error.errnoCode)
        } catch SocketAddressError.unixDomainSocketPathTooLong {
            throw ListenError(endpoint: endpoint, errno: ENAMETOOLONG)
        }
        socket?.remove()
    }

    private func server(_ endpoint: Endpoint, _ socket: UnixSocket?) throws -> any Service {
        let address: BindAddress =
            switch endpoint {
            case .tcp(let address): .hostname("\(address.host)", port: Int(address.port))
            case .unix(let path): .unixDomainSocket(path: path)
            }
        let channel = HTTP1Channel(
            responder: { request, writer, channel in try await respond(request, on: endpoint, writer, channel) },
            configuration: channelConfiguration)
        return Server(
            childChannelSetup: GuardedHTTPChannel(http: channel, limits: limits, table: table),
            configuration: .init(address: address, serverName: "netwatch"),
            onServerRunning: { announce(endpoint, socket, $0) }, eventLoopGroup: Self.group, logger: logger)
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        .init(
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.parserLimit, maxHeaderListSize: Self.parserLimit,
                maxHeaderFieldCount: Self.mostFields))
    }

    @concurrent @Sendable private func respond(
        _ request: Request, on endpoint: Endpoint, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var response =
            if let refusal = refusal(of: request, on: endpoint) { refusal.response(to: request) } else {
                await answer(request, on: endpoint, channel)
            }
        for field in HTTPFields.guarding where response.headers[field.name] == nil { response.headers.append(field) }
        response.headers[.date] = HTTPDate.format(Int64(TimeText.seconds))
        response.headers[.server] = "netwatch"
        if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
        try await writer.write(response: response.head, body: response.body)
    }

    /// What is said to a request that is not even looked at.
    private func refusal(of request: Request, on endpoint: Endpoint) -> HTTPAnswer? {
        guard request.uri.string.utf8.count <= Self.addressLimit else {
            return .text(Self.longAddress, status: .uriTooLong)
        }
        guard request.headers.reduce(0, { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }) <= Self.headerLimit
        else {
            return .text("the header is too long\n", status: .requestHeaderFieldsTooLarge)
        }
        switch access.hostCheck.verdict(on: request) {
        case .malformed: return .text("one Host field with this host's address is needed\n", status: .badRequest)
        case .foreign:
            return .text(
                "this is not the host of that name; ask by its address, by localhost or by its own name\n",
                status: .misdirectedRequest)
        case .mine: return isAllowed(request, on: endpoint) ? nil : .unauthorized
        }
    }

    /// A client that reaches a Unix socket was let in by its folder and its mode.
    private func isAllowed(_ request: Request, on endpoint: Endpoint) -> Bool {
        guard case .tcp = endpoint, let token = access.token else { return true }
        return token.allows(request.headers[.authorization])
    }

    private func answer(_ request: Request, on endpoint: Endpoint, _ channel: any Channel) async -> Response {
        if case .unix = endpoint, request.uri.path == "/reload", let reload {
            guard request.method == .post else { return HTTPAnswer.onlyPost.response(to: request) }
            return HTTPAnswer(await reload()).response(to: request)
        }
        if request.uri.path == "/events", request.method == .get || request.method == .head {
            return events(request, on: endpoint, channel)
        }
        let find: @Sendable () async throws -> Response = { [responder, logger] in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            return try await responder.respond(to: request, context: BasicRequestContext(source: source))
        }
        do {
            let isInquiry = ["/probe", "/explain"].contains(request.uri.path)
            let response = isInquiry ? try await Self.whileItStays(channel, find) : try await find()
            // A route that has nothing to show says so itself, to HEAD by the header alone.
            guard response.status == .notFound, response.headers[.contentType] == nil else { return response }
            return StateRoutes.missing(request).response(to: request)
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return HTTPAnswer.text("this request cannot be answered\n", status: .internalServerError).response(
                to: request)
        }
    }

    /// Finds an answer, and gives that up once the client has gone.
    @concurrent private static func whileItStays(
        _ channel: any Channel, _ find: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let (stay, gone) = AsyncStream<Void>.makeStream()
        channel.eventLoop.execute {
            // A connection that has ended has no handler any more.
            guard let connection = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self) else {
                return gone.finish()
            }
            connection.beginInquiry { gone.finish() }
        }
        return try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await find() }
            group.addTask {
                for await _ in stay {}
                return nil
            }
            while let response = try await group.next() {
                group.cancelAll()
                if let response { return response }
            }
            throw CancellationError()
        }
    }

    /// The events, one by one, for as long as the reader stays. While nothing is known yet, that is told.
    private func events(_ request: Request, on endpoint: Endpoint, _ channel: any Channel) -> Response {
        let filter: EventFilter
        do throws(EventFilter.Mistake) { filter = try EventFilter(request) } catch {
            return HTTPAnswer.text(error.text, status: .badRequest).response(to: request)
        }
        let form = EventForm(accept: request.headers[.accept])
        let headers: HTTPFields = [.contentType: form.contentType, .cacheControl: "no-store", .vary: "Accept"]
        guard request.method == .get else {
            // Of no length that is known, as what follows GET is.
            return Response(status: .ok, headers: headers, body: ResponseBody { try await $0.finish(nil) })
        }
        guard let place = readers.enter(isLocal: endpoint.isUnix) else {
            return HTTPAnswer.tooManyReaders.response(to: request)
        }
        RequestCounter.count("/events", .ok)
        let last = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
        let stream = EventFeed(
            state: state, form: form, filter: filter, last: last, channel: channel, executor: executor)
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [place] writer in
                defer { withExtendedLifetime(place) {} }
                try await stream.write(to: &writer)
                try await writer.finish(nil)
            })
    }

    @Sendable private func announce(_ endpoint: Endpoint, _ socket: UnixSocket?, _ channel: any Channel) {
        switch endpoint {
        case .tcp(let address):
            let port = channel.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? address.port
            whenListening(.tcp(ListenAddress(host: address.host, port: port)))
        case .unix:
            socket?.open()
            whenListening(endpoint)
        }
    }
}

/// Serves at one endpoint.
private struct EndpointService: Service {
    let server: HTTPServer
    let endpoint: Endpoint

    func run() async throws {
        try await server.serve(endpoint)
    }
}

extension HTTPAnswer {
    fileprivate static var unauthorized: HTTPAnswer {
        var answer = HTTPAnswer.text("a token is needed: Authorization: Bearer TOKEN\n", status: .unauthorized)
        answer.fields[.wwwAuthenticate] = "Bearer"
        return answer
    }

    fileprivate static var tooManyReaders: HTTPAnswer {
        var answer = HTTPAnswer.text("as many readers as are allowed follow the events\n", status: .tooManyRequests)
        answer.fields[.retryAfter] = "30"
        return answer
    }

    fileprivate static var onlyPost: HTTPAnswer {
        var answer = HTTPAnswer.text("only POST is answered here\n", status: .methodNotAllowed)
        answer.fields[.allow] = "POST"
        return answer
    }

    /// 200 with what has changed, 422 with what was refused.
    fileprivate init(_ outcome: ReloadOutcome) {
        self = .text(outcome.text, status: outcome.isRefused ? .unprocessableContent : .ok)
    }
}

extension HTTPField.Name {
    /// The id that a reader of events has seen last. A token, which is what a name has to be.
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .ifMatch
}
