#if Service
import Connectivity
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Metrics
import Netwatch
import Reachability

/// What the HTTP server answers with. It reads what is known and changes nothing.
struct StateRoutes: Sendable {
    let board: StateBoard
    /// The state as it is, with what has been found since the latest event.
    let state: @Sendable () -> Event
    let statistics: @Sendable () -> ConnectivityStatistics
    let netlink: @Sendable () -> NetlinkReport
    /// Whether the event loop turns; waits for its answer, but not for ever.
    let isLoopAlive: @Sendable () async -> Bool
    let registry: MetricRegistry
    let version: String
    let host: String

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestCounter())
        router.get("/") { _, _ in IndexPage.response(version: version) }
        router.get("/health") { _, _ in try health() }
        router.get("/status") { _, _ in try status() }
        router.get("/metrics") { request, _ in metrics(request) }
        router.get("/livez") { request, _ in await live(request) }
        router.get("/readyz") { request, _ in ready(request) }
        router.get("/livez/{name}") { request, context in try one(await liveItems(), Self.live, context) }
        router.get("/readyz/{name}") { request, context in try one(readyItems(), Self.ready, context) }
        return router
    }

    // MARK: The world

    /// Nil before the first event.
    private var event: Event? { board.event == nil ? nil : state() }

    private func health() throws -> Response {
        guard let event else {
            return .text("no answer of the kernel yet\n", status: .serviceUnavailable)
        }
        let document = HealthDocument(event, version: version, host: host)
        return Response.bytes(
            try JSONBody.bytes(document), type: HealthDocument.mediaType,
            status: .init(code: document.status.statusCode))
    }

    private func status() throws -> Response {
        guard let event else {
            return .text("no answer of the kernel yet\n", status: .serviceUnavailable)
        }
        return .bytes(event.jsonLine, type: "application/json", status: .ok)
    }

    private func metrics(_ request: Request) -> Response {
        let exposition = Exposition(accept: request.headers[.accept])
        let state = event.map { StateMetrics.families($0, version: version) } ?? []
        let text = exposition.text(
            state + board.tally.families() + statistics().families + netlink().families + registry.families())
        return .bytes(Array(text.utf8), type: exposition.contentType, status: .ok)
    }

    // MARK: The program itself

    private func live(_ request: Request) async -> Response {
        .report(Self.live(await liveItems(), request.exclusions), request)
    }

    private func ready(_ request: Request) -> Response {
        .report(Self.ready(readyItems(), request.exclusions), request)
    }

    private func one(
        _ items: [HealthReport.Item], _ report: ([HealthReport.Item], [String]) -> HealthReport,
        _ context: BasicRequestContext
    ) throws -> Response {
        let name = try context.parameters.require("name")
        guard let item = items.first(where: { $0.name == name }) else {
            let names = items.map(\.name).joined(separator: ", ")
            return .text("no such check; there are: \(names)\n", status: .notFound)
        }
        let single = report([item], [])
        return .text(single.text(isVerbose: false), status: .init(code: single.statusCode))
    }

    /// Without the Internet a program lives as well as with it: nothing here asks about the network.
    private func liveItems() async -> [HealthReport.Item] {
        let isAlive = await isLoopAlive()
        return [
            .init("event-loop", failure: isAlive ? nil : "it does not turn"),
            .init("monitor", failure: board.hasEnded ? "it has ended" : nil),
        ]
    }

    private func readyItems() -> [HealthReport.Item] {
        let resync = netlink().listening.resync
        return [
            .init("first-dump", failure: board.isReady ? nil : "the kernel's first answer is not complete"),
            .init("resync", failure: resync.map { "the state is being read anew (\($0.rawValue))" }),
        ]
    }

    private static func live(_ items: [HealthReport.Item], _ exclusions: [String]) -> HealthReport {
        HealthReport("livez", items: items, excluding: exclusions)
    }

    private static func ready(_ items: [HealthReport.Item], _ exclusions: [String]) -> HealthReport {
        HealthReport("readyz", items: items, failureCode: 503, excluding: exclusions)
    }
}

extension Request {
    /// The checks that the caller does not want to be judged: `?exclude=NAME`, repeatable.
    fileprivate var exclusions: [String] {
        uri.queryParameters.filter { $0.key == "exclude" }.map { String($0.value) }
    }

    fileprivate var isVerbose: Bool { uri.queryParameters["verbose"] != nil }
}

extension Response {
    fileprivate static func report(_ report: HealthReport, _ request: Request) -> Response {
        .text(report.text(isVerbose: request.isVerbose), status: .init(code: report.statusCode))
    }

    static func text(_ text: String, status: HTTPResponse.Status) -> Response {
        .bytes(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    static func bytes(_ bytes: [UInt8], type: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store", .contentLength: "\(bytes.count)"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
#endif
