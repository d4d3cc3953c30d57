import Connectivity
import HTTPTypes
import History
import Hummingbird
import Netwatch

import enum RequestEngine.PercentEncoding

/// What the HTTP server answers with of the past.
struct HistoryRoutes: Sendable {
    let state: ServedState

    /// So many changes are told at most.
    private static let mostTransitions = 500
    /// One point of a target's course.
    private static let step: Int64 = 15 * 60_000

    func add(to router: Router<BasicRequestContext>) {
        router.get("/history") { request, _ in await history(request).response(to: request) }
        router.get("/targets/{name}") { request, context in
            await target(try context.parameters.require("name")).response(to: request)
        }
    }

    /// A mistake in a question, in a sentence.
    private struct Mistake: Error {
        let text: String
    }

    private struct Question: Sendable {
        var since = HistorySpan.usual
        var target: String?
        var withSpans = false
        var transitions = 0

        init(_ request: Request) throws(Mistake) {
            for (name, value) in request.uri.queryParameters {
                switch name {
                case "since":
                    guard let span = HistorySpan(String(value)) else {
                        throw Mistake(text: "since is \(HistorySpan.words)\n")
                    }
                    since = span
                case "target": target = String(value)
                case "spans": withSpans = true
                case "transitions":
                    guard let count = Int(value), (0...HistoryRoutes.mostTransitions).contains(count) else {
                        throw Mistake(text: "transitions is a number up to \(HistoryRoutes.mostTransitions)\n")
                    }
                    transitions = count
                default: throw Mistake(text: "what is asked for is chosen by since, target, spans and transitions\n")
                }
            }
        }
    }

    private func history(_ request: Request) async -> HTTPAnswer {
        let question: Question
        do throws(Mistake) { question = try Question(request) } catch {
            return .text(error.text, status: .badRequest)
        }
        guard let history = state.history else { return .noHistory }
        let until = await history.flush()
        let since = until - question.since.milliseconds
        do {
            let bytes: [UInt8]? = try await history.read { reading in
                let past = try reading.past(since: since, until: until, target: question.target)
                if question.target != nil, past.isEmpty { return nil }
                let document = HistoryDocument(past, since: since, until: until, withSpans: question.withSpans)
                let lines = try reading.transitions(question.transitions)
                return try Self.joined(document, question.transitions > 0 ? lines : nil)
            }
            guard let bytes else {
                return .text(HistoryDocument.nothingKnown(of: question.target ?? "") + "\n", status: .notFound)
            }
            return HTTPAnswer(type: "application/json", bytes: bytes)
        } catch {
            return .unreadable(error)
        }
    }

    private func target(_ encoded: String) async -> HTTPAnswer {
        guard state.board.event != nil else {
            return .text("no answer of the kernel yet\n", status: .serviceUnavailable)
        }
        let name = PercentEncoding.unescape(encoded).map { String(decoding: $0, as: UTF8.self) } ?? encoded
        var event = state.monitor.current
        if let absence = HealthSubject.target(name).absence(in: event) {
            return .text(absence + "\n", status: .notFound)
        }
        event.targets = event.targets.filter { $0.target == name }
        event.probes = event.probes.filter { $0.target == name }
        var members: [(name: String, json: [UInt8])] = [("now", event.json)]
        do {
            if let history = state.history { members += try await past(of: name, history) }
        } catch {
            return .unreadable(error)
        }
        return HTTPAnswer(type: "application/json", bytes: Self.object(members))
    }

    private func past(of name: String, _ history: History) async throws -> [(name: String, json: [UInt8])] {
        let until = await history.flush()
        let since = until - HistorySpan.usual.milliseconds
        return try await history.read { reading in
            let past = try reading.past(since: since, until: until, target: name)
            let document = HistoryDocument(past, since: since, until: until, withSpans: true)
            let points = try reading.probes(of: name, since: since, until: until, every: Self.step)
            return [
                ("past", try HistoryDocument.bytes(of: document)),
                ("course", try HistoryDocument.bytes(of: points.map { CoursePoint($0.time, $0.sum) })),
            ]
        }
    }

    // MARK: JSON

    /// The document, with lines of JSON as one more member.
    private static func joined(_ document: HistoryDocument, _ lines: [[UInt8]]?) throws -> [UInt8] {
        var bytes = try HistoryDocument.bytes(of: document)
        if let lines {
            bytes.removeLast()
            bytes += Array(#","transitions":["#.utf8)
            let bare = lines.map { $0.dropLast($0.last == UInt8(ascii: "\n") ? 1 : 0) }
            bytes += Array(bare.joined(separator: comma)) + Array("]}".utf8)
        }
        return bytes + [UInt8(ascii: "\n")]
    }

    private static let comma = [UInt8(ascii: ",")]

    private static func object(_ members: [(name: String, json: [UInt8])]) -> [UInt8] {
        let parts: [[UInt8]] = members.map { Array("\"\($0.name)\":".utf8) + $0.json }
        return Array("{".utf8) + Array(parts.joined(separator: comma)) + Array("}\n".utf8)
    }
}

/// The probes of a target in a quarter of an hour.
private struct CoursePoint: Codable {
    var time: String
    var probes: Int64
    var failures: Int64
    var mean: Double?
    var phases: HistoryDocument.Phases?

    init(_ time: Int64, _ sum: ProbeSum) {
        self.time = HistoryDocument.time(time)
        (probes, failures) = (sum.probes, sum.failures)
        (mean, phases) = (sum.mean, HistoryDocument.Phases(sum))
    }
}

extension HTTPAnswer {
    fileprivate static let noHistory = HTTPAnswer.text(
        "no history is kept: say where in service.history, or make /var/lib/netwatch\n", status: .notFound)

    fileprivate static func unreadable(_ error: any Error) -> HTTPAnswer {
        .text("the history cannot be read: \(DisplayText.safe("\(error)"))\n", status: .serviceUnavailable)
    }
}
