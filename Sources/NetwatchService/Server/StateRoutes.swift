import Connectivity
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Netwatch
import Reachability

/// What the HTTP server answers with. It reads what is known and changes nothing.
struct StateRoutes: Sendable {
    let state: ServedState
    /// Whether the event loop turns; waits for its answer, but not for ever.
    let isLoopAlive: @Sendable () async -> Bool
    let renderings = RenderingCache()
    let version: String
    let host: String

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestCounter())
        router.get("/") { request, _ in IndexPage.answer(version: version, host: host).response(to: request) }
        router.get("/health") { request, _ in try health(request).response(to: request) }
        router.get("/status") { request, _ in status(request).response(to: request) }
        router.get("/metrics") { request, _ in metrics(request).response(to: request) }
        router.get("/probe") { request, _ in await state.inquiries.probe(request).response(to: request) }
        router.get("/explain") { request, _ in await state.inquiries.explain(request).response(to: request) }
        router.get("/livez") { request, _ in await live(request).response(to: request) }
        router.get("/readyz") { request, _ in ready(request).response(to: request) }
        router.get("/livez/{name}") { request, context in
            try one(await liveItems(), Self.live, context).response(to: request)
        }
        router.get("/readyz/{name}") { request, context in
            try one(readyItems(), Self.ready, context).response(to: request)
        }
        HistoryRoutes(state: state).add(to: router)
        return router
    }

    /// What is said where no route answers: that there is none, or that it answers to other methods only.
    static func missing(_ request: Request) -> HTTPAnswer {
        let paths = IndexPage.links.map { $0.0.prefix { $0 != "?" } }
        let path = request.uri.path
        if path == "/" || paths.contains(where: { path == $0 }) || path.hasPrefix("/livez/")
            || path.hasPrefix("/readyz/") || path.hasPrefix("/targets/"),
            request.method != .get, request.method != .head
        {
            var answer = HTTPAnswer.text("only GET and HEAD are answered here\n", status: .methodNotAllowed)
            answer.fields[.allow] = "GET, HEAD"
            return answer
        }
        return .text(
            "there is nothing here; there are: / \(paths.joined(separator: " ")) /targets/NAME\n", status: .notFound)
    }

    // MARK: The world

    /// Nil before the first event.
    private var event: Event? { board.event == nil ? nil : state.monitor.current }
    private var board: StateBoard { state.board }
    private var netlink: NetlinkReport {
        NetlinkReport(state.monitor.pathStatistics, state.monitor.listeningState)
    }

    private func health(_ request: Request) throws -> HTTPAnswer {
        guard let event else {
            return .text("no answer of the kernel yet\n", status: .serviceUnavailable)
        }
        guard let subject = request.healthSubject else {
            return .text("name one target or one interface\n", status: .badRequest)
        }
        if let absence = subject.absence(in: event) { return .text(absence + "\n", status: .notFound) }
        let document = HealthDocument(
            event, about: subject, version: version, host: host, isVerbose: request.isVerbose)
        return HTTPAnswer(
            status: .init(code: document.status.statusCode), type: HealthDocument.mediaType,
            bytes: try JSONBody.bytes(document))
    }

    private func status(_ request: Request) -> HTTPAnswer {
        let types = PreferenceList(request.headers[.accept])
        let json = types.weight(of: "application/json", wildcards: ["application/*", "*/*"]) ?? 0
        let isText = (types.weight(of: "text/plain", wildcards: ["text/*"]) ?? 0) > json
        return renderings.answer(isText ? "status text" : "status", seq: board.event?.seq) { renderStatus(isText) }
    }

    private func renderStatus(_ isText: Bool) -> HTTPAnswer {
        guard let event else {
            return .text("no answer of the kernel yet\n", status: .serviceUnavailable)
        }
        var answer =
            isText
            ? HTTPAnswer.text(VerdictWords.status(event))
            : HTTPAnswer(type: "application/json", bytes: event.jsonLine(of: state.origin))
        answer.isNegotiated = true
        let status = ExitStatus(event, isProbed: VerdictWords.isProbed(event))
        answer.fields[ServiceAnswer.exitStatusField] = "\(status.rawValue)"
        return answer
    }

    private func metrics(_ request: Request) -> HTTPAnswer {
        let exposition = Exposition(accept: request.headers[.accept])
        return renderings.answer("metrics \(exposition)", seq: board.event?.seq) { renderMetrics(exposition) }
    }

    private func renderMetrics(_ exposition: Exposition) -> HTTPAnswer {
        let families = state.families(version: version)
        return HTTPAnswer(type: exposition.contentType, bytes: exposition.bytes(families), isNegotiated: true)
    }

    // MARK: The program itself

    private func live(_ request: Request) async -> HTTPAnswer {
        .report(Self.live(await liveItems(), request.exclusions), request)
    }

    private func ready(_ request: Request) -> HTTPAnswer {
        .report(Self.ready(readyItems(), request.exclusions), request)
    }

    private func one(
        _ items: [HealthReport.Item], _ report: ([HealthReport.Item], [String]) -> HealthReport,
        _ context: BasicRequestContext
    ) throws -> HTTPAnswer {
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
        let resync = netlink.listening.resync
        return [
            .init("first-dump", failure: board.isReady ? nil : "the kernel's first answer is not complete"),
            .init("resync", failure: resync.map { "the state is being read anew (\($0.rawValue))" }),
        ] + state.exports().map { .init("export-\($0.name)", note: $0.words, isTrouble: $0.isWell == false) }
    }

    private static func live(_ items: [HealthReport.Item], _ exclusions: [String]) -> HealthReport {
        HealthReport("livez", items: items, excluding: exclusions)
    }

    private static func ready(_ items: [HealthReport.Item], _ exclusions: [String]) -> HealthReport {
        HealthReport("readyz", items: items, failureCode: 503, excluding: exclusions)
    }
}

extension Hummingbird.Request {
    /// The checks that the caller does not want to be judged: `?exclude=NAME`, repeatable.
    fileprivate var exclusions: [String] {
        uri.queryParameters.filter { $0.key == "exclude" }.map { String($0.value) }
    }

    fileprivate var isVerbose: Bool { uri.queryParameters["verbose"] != nil }

    /// What `?target=NAME` or `?interface=NAME` asks for; nil where there is more than one of them.
    fileprivate var healthSubject: HealthSubject? {
        let subjects = uri.queryParameters.compactMap { parameter -> HealthSubject? in
            switch parameter.key {
            case "target": .target(String(parameter.value))
            case "interface": .interface(String(parameter.value))
            default: nil
            }
        }
        return subjects.count > 1 ? nil : subjects.first ?? .host
    }
}

extension HTTPAnswer {
    fileprivate static func report(_ report: HealthReport, _ request: Request) -> HTTPAnswer {
        .text(report.text(isVerbose: request.isVerbose), status: .init(code: report.statusCode))
    }
}
