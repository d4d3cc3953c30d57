import Foundation

/// What a server does with a connectivity probe, and what a monitor ought to make of it.
struct Behaviour: Sendable {
    var name: String
    var action: Action
    var verdict: Verdict

    enum Action: Codable, Sendable, Equatable {
        /// Answers with these bytes and closes.
        case answer(String)
        /// Reads the request, says nothing and keeps the connection.
        case silence
        /// Does not listen.
        case refusal
        /// Has its packets dropped on their way back.
        case loss
    }

    /// What is right to say: online, a portal, or neither, so that no login page is opened.
    enum Verdict: String, Sendable {
        case online, portal, inconclusive
    }

    /// Each reply of the published truth table, and what is no reply.
    static func all() throws -> [Behaviour] {
        let table = try JSONDecoder().decode(
            TruthTable.self, from: Data(contentsOf: URL(filePath: "Documentation/truth-table.json")))
        // A redirect to HTTPS of the same host names the host of the table.
        return try table.rows.filter { $0.headers["Location"]?.contains("check.test") != true }.map { try $0.behaviour }
            + unspoken
    }

    private static let unspoken = [
        Behaviour(name: "closed without an answer", action: .answer(""), verdict: .inconclusive),
        Behaviour(
            name: "breaks off in the header", action: .answer("HTTP/1.1 200 OK\r\nContent-"), verdict: .inconclusive),
        Behaviour(
            name: "breaks off in the body", action: .answer("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsucc"),
            verdict: .inconclusive),
        Behaviour(name: "something else than HTTP", action: .answer("220 mail.test ESMTP\r\n"), verdict: .inconclusive),
        Behaviour(name: "refused", action: .refusal, verdict: .inconclusive),
    ]

    /// Those that are known by time passing only.
    static let slow = [
        Behaviour(name: "accepted, and no answer", action: .silence, verdict: .inconclusive),
        Behaviour(name: "packets dropped", action: .loss, verdict: .inconclusive),
    ]
}

/// Documentation/truth-table.json, as far as it is needed here.
private struct TruthTable: Decodable {
    var rows: [Row]

    struct Row: Decodable {
        var reply: String
        var status: Int
        var version: String
        var headers: [String: String]
        var body: String
        /// By scheme and kind of endpoint.
        var ours: [String: [String: String]]

        /// As an endpoint answers that is expected to say `success`.
        var behaviour: Behaviour {
            get throws {
                let word = ours["http"]?["body"]?.prefix { $0.isLetter } ?? ""
                guard let verdict = Behaviour.Verdict(rawValue: String(word)) else {
                    throw BenchmarkError.unexpected("the truth table says “\(word)” of “\(reply)”")
                }
                return Behaviour(name: reply, action: .answer(bytes), verdict: verdict)
            }
        }

        private var bytes: String {
            let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            let length = status == 204 ? "" : "Content-Length: \(body.utf8.count)\r\n"
            return "HTTP/\(version) \(status) X\r\n\(fields)\(length)Connection: close\r\n\r\n\(body)"
        }
    }
}
