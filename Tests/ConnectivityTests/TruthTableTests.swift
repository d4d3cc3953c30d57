import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// Documentation/truth-table.json: what is published is what the judge decides.
struct TruthTable: Codable {
    var about: String
    var rows: [Row]

    struct Row: Codable, CustomTestStringConvertible {
        var reply: String
        var status: Int
        var version: String
        var headers: [String: String]
        var body: String
        /// By scheme and kind of endpoint.
        var ours: [String: [String: String]]
        var peers: [String: String]

        var testDescription: String { reply }
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Documentation")

    static func read() throws -> TruthTable {
        try JSONDecoder().decode(
            TruthTable.self, from: Data(contentsOf: folder.appending(path: "truth-table.json")))
    }

    static let rows: [Row] = (try? read().rows) ?? []

    /// The same for people.
    var markdown: String {
        let head = """
            # The truth table

            \(about) An ordinary target is one of `--probe` or of a configuration without an expectation of its own: any
            success counts, or a redirect within its site. Generated from truth-table.json by the tests.

            | reply | 204 | body | challenge | ordinary | 204 (TLS) | body (TLS) | challenge (TLS) | ordinary (TLS) | NetworkManager | Android | Chromium | Firefox |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|

            """
        return head + rows.map { "| " + $0.cells.joined(separator: " | ") + " |\n" }.joined()
    }
}

extension TruthTable.Row {
    fileprivate var cells: [String] {
        let kinds = ["204", "body", "challenge", "ordinary"]
        return [reply] + kinds.map { ours["http"]?[$0] ?? "" } + kinds.map { ours["https"]?[$0] ?? "" }
            + ["networkmanager", "android", "chromium", "firefox"].map { peers[$0] ?? "" }
    }
}

@Suite("The truth table")
struct TruthTableTests {
    private static let expectations: [String: Connectivity.Expectation] = [
        "204": .noContent, "body": .body("success"), "challenge": .challenge, "ordinary": .ordinary,
    ]

    @Test("is there, with all its rows and columns")
    func isWhole() throws {
        let table = try TruthTable.read()
        #expect(table.rows.count >= 16)
        #expect(table.rows.allSatisfy { $0.peers.count == 4 })
        let kinds = Set(Self.expectations.keys)
        #expect(table.rows.allSatisfy { $0.ours.count == 2 && $0.ours.values.allSatisfy { Set($0.keys) == kinds } })
        #expect(kinds == Set(Connectivity.Expectation.Kind.allCases.map(\.rawValue)))
    }

    @Test("E4 E7 each reply is judged as the table says", arguments: TruthTable.rows, ["http", "https"])
    func judged(row: TruthTable.Row, scheme: String) throws {
        for (kind, expectation) in Self.expectations {
            let judge = ReplyJudge(
                expectation: expectation, isSecure: scheme == "https", host: "check.test", challenge: "CHALLENGE")
            let reply = Reply(
                statusCode: row.status, version: row.version,
                headers: row.headers.map { Connectivity.Expectation.Header(name: $0.key, value: $0.value) },
                body: Array(row.body.utf8))
            #expect(judge.verdict(reply).description == row.ours[scheme]?[kind], "\(kind) over \(scheme)")
        }
    }

    private static let demanding: [Connectivity.Expectation] = [
        Connectivity.Expectation(kind: .ordinary, statuses: [200...200]),
        Connectivity.Expectation(kind: .ordinary, statuses: [200...299], body: .expression("healthy")),
        Connectivity.Expectation(
            kind: .ordinary, statuses: [200...299], header: .init(name: "X-State", value: "healthy")),
        {
            var explicit = Connectivity.Expectation.ordinary
            explicit.excludesRedirects = true
            return explicit
        }(),
    ]

    @Test(
        "a redirect within the site is not good where something certain is wanted of the answer",
        arguments: demanding, ["http", "https"])
    func redirectOfDemanding(expectation: Connectivity.Expectation, scheme: String) {
        let judge = ReplyJudge(
            expectation: expectation, isSecure: scheme == "https", host: "check.test", challenge: nil)
        for location in ["/login", "\(scheme)://www.check.test/login"] {
            let reply = Reply(
                statusCode: 302, version: "1.1", headers: [.init(name: "Location", value: location)], body: [])
            #expect(judge.verdict(reply) == .inconclusive(.unexpectedStatus), "\(location)")
        }
    }

    @Test(
        "a redirect is held to lead where it says, however the rest of it is written",
        arguments: [
            ("//login.portal.test/", false), ("http://login.portal.test/?ssid=Café Gast", false),
            ("http://login.portal.test:99999/", false), ("http://check.test@login.portal.test/", false),
            ("http://login.portal.test/" + String(repeating: "x", count: 9000), false),
            ("http://check.test/Über", true),
            ("http:\\\\login.portal.test\\x", false), ("\\\\login.portal.test\\x", false),
            ("///login.portal.test/", false), ("https:/login.portal.test/", false), ("javascript:alert(1)", false),
            ("http:/login.portal.test/", true), ("//check.test\\@login.portal.test/", true), ("?next=//x.test/", true),
            ("//www.check.test/", true), ("HTTP://CHECK.test:80/", true), ("/a//b", true), ("?a=http://x.test/", true),
        ])
    func oddRedirect(location: String, isOwn: Bool) {
        let judge = ReplyJudge(expectation: .ordinary, isSecure: false, host: "check.test", challenge: nil)
        let reply = Reply(
            statusCode: 302, version: "1.1", headers: [.init(name: "Location", value: location)], body: [])
        #expect(judge.verdict(reply) == (isOwn ? .online() : .portal(address: location)))
    }

    @Test(
        "where a portal sends is told as an address, also where it says it relatively",
        arguments: [
            ("/login?a=b", "http://HOST/login?a=b"), ("login.html", "http://HOST/check/login.html"),
            ("?a=b", "http://HOST/check/page?a=b"), ("//login.test/x", "http://login.test/x"),
            ("\\\\login.test\\x", "http://login.test/x"), ("http:/login", "http://HOST/login"),
            ("http://login.test/Über", "http://login.test/Über"), ("market://details?id=x", "market://details?id=x"),
        ])
    func relativePortal(location: String, address: String) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 302 X\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        // Nobody else is told a user's password.
        let url = "http://me:secret@127.0.0.1:\(server.port)/check/page"
        let target = try Target(url, name: "check", expectation: .noContent)
        let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
        let told = address.replacing("HOST", with: "127.0.0.1:\(server.port)")
        #expect(result.outcome == .portal && result.portal == told, "\(result)")
        #expect(result.failure == "a portal answers in its place and sends to \(told)", "\(result)")
    }

    @Test("a status that is named to be good is, beside whatever else is asked for", arguments: ["http", "https"])
    func namedStatus(scheme: String) {
        let body = Connectivity.Expectation(kind: .body, statuses: [200...299], body: .exact("ok"))
        let maintenance = Connectivity.Expectation(kind: .noContent, statuses: [503...503])
        for (expectation, status) in [(body, 203), (maintenance, 503)] {
            let judge = ReplyJudge(
                expectation: expectation, isSecure: scheme == "https", host: "check.test", challenge: nil)
            let reply = Reply(statusCode: status, version: "1.1", headers: [], body: Array("ok".utf8))
            #expect(judge.verdict(reply) == .online(), "\(status)")
        }
    }

    @Test("is the table of TruthTable.md; NETWATCH_WRITE_TABLES=1 writes it")
    func document() throws {
        let table = try TruthTable.read()
        let file = TruthTable.folder.appending(path: "TruthTable.md")
        if ProcessInfo.processInfo.environment["NETWATCH_WRITE_TABLES"] != nil {
            try table.markdown.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == table.markdown)
    }

    @Test("E4 E7 the table holds for a server that answers so, byte by byte", arguments: TruthTable.rows)
    func live(row: TruthTable.Row) async throws {
        let server = try SocketServer { connection in
            let challenge = connection.readRequest().challenge
            connection.send(row.bytes.replacing("CHALLENGE", with: challenge))
        }
        let loop = try EventLoop()
        let prober = Prober(loop: loop, configuration: ConnectivityConfiguration())
        for (kind, expectation) in Self.expectations {
            let target = try Target("http://127.0.0.1:\(server.port)/", name: kind, expectation: expectation)
            let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
            let expected = try #require(row.ours["http"]?[kind])
            // The table's redirect to itself names the host of the table.
            guard row.headers["Location"]?.contains("check.test") != true else { continue }
            let word = String(expected.prefix { $0.isLetter })
            #expect(result.word == word, "\(kind)")
            #expect(result.statusCode == row.status)
        }
    }
}

@Suite("The check endpoint of packaging/examples", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct CheckEndpointTests {
    @Test("gives the challenge back that each probe makes up, and has a text for where only files can be served")
    func endpoint() async throws {
        let file = TruthTable.folder.deletingLastPathComponent().appending(
            path: "packaging/examples/check-endpoint.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "    location")?.lowerBound)
        let locations = text[start...].split(separator: "\n").dropLast().joined(separator: "\n")
        let server = try NginxServer(locations: locations + " location / { return 302 http://login.test/; }")
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        let cases: [(path: String, Connectivity.Expectation, ProbeResult.Outcome)] = [
            ("check", .challenge, .success), ("check.txt", .body("netwatch is online"), .success),
            ("check.txt", .challenge, .portal), ("other", .challenge, .portal),
        ]
        for (path, expectation, outcome) in cases {
            let target = try Target("http://127.0.0.1:\(server.port)/\(path)", expectation: expectation)
            let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
            #expect(result.outcome == outcome, "\(path): \(result)")
        }
    }
}

extension TruthTable.Row {
    fileprivate var bytes: String {
        let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let length = status == 204 ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return "HTTP/\(version) \(status) X\r\n\(fields)\(length)Connection: close\r\n\r\n\(body)"
    }
}

extension ProbeResult {
    /// The first word of the table's verdict.
    fileprivate var word: String {
        switch outcome {
        case .success: "online"
        case .portal: "portal"
        case .failure, .skipped, .cancelled: "inconclusive"
        }
    }
}

extension String {
    /// The challenge in a request's header; empty where there is none.
    fileprivate var challenge: String {
        split(separator: "\r\n").first { $0.hasPrefix("X-Netwatch-Challenge: ") }.map { String($0.dropFirst(22)) } ?? ""
    }
}
