import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("Variants in the response cache")
struct CacheVariantTests {
    /// Answers with a number that grows, and the fields that the path names: `/Vary: Cookie|Cache-Control: max-age=60`.
    private let server: SocketServer
    private let storage = MemoryCache()

    init() throws {
        let count = Counter()
        server = try SocketServer { connection in
            while true {
                let request = connection.readRequest()
                guard request.hasSuffix("\r\n\r\n") else { return }
                let path = request.split(separator: " ")[1].dropFirst()
                let fields = (path.removingPercentEncoding ?? "").split(separator: "|").map { "\($0)\r\n" }.joined()
                let isKnown = request.contains("If-None-Match")
                let text = "\(count.next())"
                connection.send(
                    "HTTP/1.1 \(isKnown ? 304 : 200) X\r\n\(fields)Content-Length: \(isKnown ? 0 : text.count)\r\n\r\n"
                        + (isKnown ? "" : text))
            }
        }
    }

    private func session(
        _ interceptors: [any Interceptor] = [], _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = [ResponseCache(storage: storage)] + interceptors
        change(&configuration)
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ fields: String...) throws -> Request {
        let path = fields.joined(separator: "|").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)")))
    }

    private let fresh = "Cache-Control: max-age=3600"

    /// Puts the name of the user that asks into each request.
    private struct User: Interceptor {
        @TaskLocal static var name = ""

        func respond(
            to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
        ) async throws(RequestError) -> Response {
            var exchange = exchange
            exchange.request.headers["X-User"] = Self.name
            return try await next(exchange)
        }
    }

    @Test(
        "a credential is of the variant",
        arguments: ["Vary: Authorization", "Vary: authorization, Accept", "X-No: Vary"])
    func credential(vary: String) async throws {
        let session = try session()
        var (one, other, nobody) = try (request(fresh, vary), request(fresh, vary), request(fresh, vary))
        one.credential = .basic(user: "one", password: "p")
        other.credential = .bearer(token: "other")
        nobody.credential = nil
        #expect(try await session.response(for: one).body == Data("0".utf8))
        #expect(try await session.response(for: other).body == Data("1".utf8))
        #expect(try await session.response(for: nobody).body == Data("2".utf8))
        #expect(try await session.response(for: one).cacheUse == .hit)
        // The same on the wire.
        nobody.headers["Authorization"] = "Basic b25lOnA="
        #expect(try await session.response(for: nobody).body == Data("0".utf8))
    }

    /// Puts a token into a field of its own.
    private struct SessionToken: Authenticator {
        func apply(_ token: Int, to request: inout Request) { request.headers["X-Session"] = "\(token)" }
        func refresh(_ token: Int) async throws -> Int { token + 1 }
    }

    @Test("a field that an authenticator puts in is of the variant, whatever it is called")
    func authenticator() async throws {
        let authentication = AuthenticationInterceptor(SessionToken(), token: 1)
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts([authentication]), ResponseCache(storage: storage)]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = try request(fresh)
        #expect(try await session.response(for: request).body == Data("0".utf8))
        #expect(try await session.response(for: request).cacheUse == .hit)
        await authentication.setToken(2)
        #expect(try await session.response(for: request).body == Data("1".utf8))
        await authentication.setToken(1)
        #expect(try await session.response(for: request).body == Data("0".utf8))
    }

    /// Answers with a number that grows and a tag, and from the second answer on with a further field.
    private func turning(_ status: Int, _ later: String) throws -> SocketServer {
        let count = Counter()
        return try SocketServer { connection in
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                let number = count.next()
                let (status, field) = number == 0 ? (200, "Cache-Control: max-age=600") : (status, later)
                let body = status == 304 ? "" : "\(number)"
                connection.send(
                    "HTTP/1.1 \(status) X\r\nETag: \"a\"\r\n\(field)\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
            }
        }
    }

    @Test(
        "what the server has replaced by an answer that may not be kept is not given again",
        arguments: [
            (200, "Cache-Control: no-store"), (304, "Cache-Control: no-store"), (200, "Vary: *"),
            (404, "Cache-Control: no-store"), (302, "Cache-Control: no-store"),
        ])
    func superseded(status: Int, later: String) async throws {
        for asking in [CachePolicy.standard, .reload] where asking == .standard || status != 304 {
            let server = try turning(status, later)
            let session = try session()
            var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
            #expect(try await session.response(for: request).body == Data("0".utf8))
            request.cachePolicy = asking
            if asking == .standard { request.headers["Cache-Control"] = "no-cache" }
            _ = try await session.response(for: request)
            request.headers.remove("Cache-Control")
            request.cachePolicy = .cacheElseLoad
            let last = try await session.response(for: request)
            #expect(last.cacheUse != .hit && last.body == Data((status == 304 ? "" : "2").utf8))
        }
    }

    @Test("a refusal leaves alone what is kept", arguments: [401, 403, 429, 503])
    func refusal(status: Int) async throws {
        let server = try turning(status, "Cache-Control: no-store")
        let session = try session()
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        _ = try await session.response(for: request)
        request.cachePolicy = .reload
        #expect(try await session.response(for: request).statusCode == status)
        request.cachePolicy = .standard
        #expect(try await session.response(for: request).cacheUse == .hit)
    }

    @Test(
        "what cannot be read of Cache-Control does not hide what follows",
        arguments: [
            "a=b:c, no-store", "\"a\", no-store", "=, no-store", "a=, no-store", "max-age=3600; no-store",
            "é, no-store", "a=\"b, no-store", "max-age=3600 no-store",
        ])
    func unreadable(control: String) async throws {
        let session = try session()
        _ = try await session.response(for: request("Cache-Control: \(control)"))
        #expect(storage.usage == 0)
    }

    @Test("what comes another way is not what others get")
    func otherWay() async throws {
        let session = try session()
        let plain = try request(fresh)
        var (bound, from) = (plain, plain)
        bound.interface = .name("lo")
        from.sourceAddress = IPAddress("127.0.0.2")
        let bodies = [plain, bound, from, plain]
        var answers: [Data] = []
        for request in bodies { answers.append(try await session.response(for: request).body) }
        #expect(answers == ["0", "1", "2", "0"].map { Data($0.utf8) })
    }

    @Test("an answer that varies by fields without end is nobody else's", arguments: [32, 33, 10_000])
    func manyFields(count: Int) async throws {
        let session = try session()
        let names = (0..<count).map { "Vary: a\($0)\r\n" }.joined()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\(names)Content-Length: 0\r\n\r\n")
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        _ = try await session.response(for: request)
        #expect((storage.usage > 0) == (count == 32))
    }

    @Test("a header of ten thousands of fields is freshened by another such in time")
    func longHeaders() async throws {
        let session = try session()
        let server = try SocketServer { connection in
            for status in [200, 304] {
                connection.readRequest()
                let fields = (0..<20_000).map { "\(status == 200 ? "a" : "b")\($0):\r\n" }.joined()
                connection.send("HTTP/1.1 \(status) X\r\nETag: \"v\"\r\n\(fields)Content-Length: 0\r\n\r\n")
            }
            connection.waitForEnd()
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        _ = try await session.response(for: request)
        let start = ContinuousClock.now
        let response = try await session.response(for: request)
        #expect(response.cacheUse == .revalidated && response.headers.count == 40_002)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test("an answer that is public is anybody's")
    func publicAnswer() async throws {
        let session = try session()
        var one = try request("Cache-Control: public, max-age=3600")
        one.credential = .bearer(token: "one")
        _ = try await session.response(for: one)
        one.credential = .bearer(token: "other")
        #expect(try await session.response(for: one).cacheUse == .hit)
    }

    @Test("two sessions with one storage and fields of their own get answers of their own")
    func sessionFields() async throws {
        let request = try request(fresh, "Vary: X-Mine")
        let one = try session { $0.headers = ["X-Mine": "1"] }
        let other = try session { $0.headers = ["X-Mine": "2"] }
        #expect(try await one.response(for: request).body == Data("0".utf8))
        #expect(try await other.response(for: request).body == Data("1".utf8))
        #expect(try await one.response(for: request).body == Data("0".utf8))
    }

    @Test("what an interceptor adds is of the variant, wherever it stands in the list")
    func interceptors() async throws {
        let session = try session([User()])
        let request = try request(fresh, "Vary: X-User")
        for (name, body) in [("a", "0"), ("b", "1"), ("a", "0")] {
            let response = try await User.$name.withValue(name) { try await session.response(for: request) }
            #expect(response.body == Data(body.utf8))
        }
    }

    @Test("cookies that the session keeps are of the variant")
    func cookies() async throws {
        let session = try session { $0.cookies = .memory }
        let page = try request(fresh, "Vary: Cookie")
        #expect(try await session.response(for: page).body == Data("0".utf8))
        _ = try await session.response(for: request("Set-Cookie: user=a; Path=/", "Cache-Control: no-store"))
        #expect(try await session.response(for: page).body == Data("2".utf8))
        _ = try await session.response(for: request("Set-Cookie: user=b; Path=/", "Cache-Control: no-store"))
        #expect(try await session.response(for: page).body == Data("4".utf8))
        #expect(try await session.response(for: page).cacheUse == .hit)
        try await session.removeCookies()
        #expect(try await session.response(for: page).body == Data("0".utf8))
    }

    @Test("several fields, in one line or more, are all of the variant")
    func several() async throws {
        let session = try session()
        for fields in [["Vary: A, B"], ["Vary: A", "Vary: B"]] {
            var request = try fields.count == 1 ? request(fresh, fields[0]) : request(fresh, fields[0], fields[1])
            var bodies: [Data] = []
            for headers: HeaderFields in [
                ["A": "1", "B": "1"], ["A": "1", "B": "2"], ["A": "1"], ["A": "1", "B": "1"],
            ] {
                request.headers = headers
                bodies.append(try await session.response(for: request).body)
            }
            #expect(Set(bodies).count == 3 && bodies[0] == bodies[3])
        }
    }

    @Test("an answer that varies by everything is nobody else's, also where only a 304 says so")
    func everything() async throws {
        let session = try session()
        let request = try request("Cache-Control: max-age=60", "Vary: A, *")
        _ = try await session.response(for: request)
        #expect(try await session.response(for: request).cacheUse == .miss)
    }

    @Test(
        "a 304 about another version than the one that is kept does not make that one new: the whole is asked for",
        arguments: [
            ("\"1\"", "\"2\"", false), ("\"1\"", "\"1\"", true), ("W/\"1\"", "\"1\"", true),
            ("W/\"1\"", "\"2\"", false), ("\"1\"", "W/\"1\"", true), ("\"1\"", nil, true),
        ])
    func otherVersion(kept: String, confirmed: String?, isSame: Bool) async throws {
        let count = Counter()
        let server = try SocketServer { connection in
            let isKnown = connection.readRequest().contains("If-None-Match")
            let tag = isKnown ? confirmed : count.next() == 0 ? kept : confirmed
            let head = "Cache-Control: no-cache\r\nConnection: close\r\n" + (tag.map { "ETag: \($0)\r\n" } ?? "")
            let body = tag == kept ? "old" : "new"
            connection.send("HTTP/1.1 \(isKnown ? "304 X\r\n" + head + "\r\n" : "200 X\r\n" + head + "\r\n" + body)")
        }
        let session = try session()
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        #expect(try await session.response(for: request).body == Data("old".utf8))
        for _ in 0..<2 {
            let answer = try await session.response(for: request)
            #expect(answer.statusCode == 200 && answer.body == Data((isSame ? "old" : "new").utf8))
        }
    }

    @Test("nothing secret stands in what is kept")
    func digests() async throws {
        let session = try session { $0.headers = ["Cookie": "a=secret-cookie"] }
        var request = try request(fresh, "Vary: Authorization, Cookie, X-Api-Key")
        request.headers["X-Api-Key"] = "secret-key"
        request.url = try #require(
            URL(string: request.url.absoluteString.replacing("//", with: "//me:secret-password@")))
        _ = try await session.response(for: request)
        let key = request.url.absoluteString.replacing("me:secret-password@", with: "")
        let kept = try #require(await storage.responses(for: key).first)
        #expect(Set(kept.variant.keys) == ["authorization", "cookie", "host", "x-api-key", "x-auth-token"])
        #expect(!"\(kept)".contains("secret") && !"\(kept)".contains("bWU6"))
    }

    @Test("a refusal is not kept in the place of the answer that a credential gets")
    func refusal() async throws {
        let server = try SocketServer { connection in
            while true {
                let request = connection.readRequest()
                guard request.hasSuffix("\r\n\r\n") else { return }
                let isKnown = request.contains("Authorization")
                connection.send(
                    "HTTP/1.1 \(isKnown ? 200 : 401) X\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
                        + "Cache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let responder = ChallengeResponder(handler: CredentialHandler(user: "me", password: "p"))
        let session = try session([responder])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        for _ in 0..<2 { #expect(try await session.response(for: Request(url: url)).statusCode == 200) }
    }
}

@Suite("Sharing by all that is asked")
struct SharingTests {
    /// Answers after a while, with the number of the request.
    private let server: SocketServer
    private let session: Session
    private let count = Counter()

    init() throws {
        server = try SocketServer { [count] connection in
            _ = connection.readRequest()
            let text = "\(count.next())"
            usleep(300_000)
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(text.count)\r\n\r\n\(text)")
        }
        var configuration = SessionConfiguration()
        configuration.interceptors = [Deduplication()]
        configuration.maximumConnectionsPerHost = 32
        session = try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ change: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        change(&request)
        return request
    }

    /// How many different answers requests sent at once get.
    private func answers(_ requests: [Request], over session: Session? = nil) async throws -> Int {
        let session = session ?? self.session
        return try await withThrowingTaskGroup(of: Data.self) { group in
            for request in requests { group.addTask { try await session.response(for: request).body } }
            return try await group.reduce(into: Set()) { $0.insert($1) }.count
        }
    }

    @Test("requests that differ in anything are not joined")
    func options() async throws {
        let requests = try [
            request(), request { $0.timeouts.total = .seconds(20) }, request { $0.timeouts.idle = .seconds(20) },
            request { $0.maximumBodySize = 1000 }, request { $0.usesCookies = false },
            request { $0.httpVersion = .http1 }, request { $0.acceptsCompression = false },
            request { $0.priority = 1 }, request { $0.credential = .bearer(token: "a") },
            request { $0.cachePolicy = .reload }, request { $0.headers["A"] = "1" },
        ]
        #expect(try await answers(requests) == requests.count)
        #expect(try await answers([requests[1], requests[1]]) == 1)
    }

    @Test("what an interceptor of one's own adds keeps requests apart, wherever it stands")
    func interceptors() async throws {
        struct Named: Interceptor {
            let count: Counter

            func respond(
                to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
            ) async throws(RequestError) -> Response {
                var exchange = exchange
                exchange.request.headers["X-User"] = "\(count.next())"
                return try await next(exchange)
            }
        }
        var configuration = SessionConfiguration()
        configuration.interceptors = [Deduplication(), Named(count: Counter())]
        let session = try Session(configuration: configuration, loop: EventLoop())
        #expect(try await answers([request(), request()], over: session) == 2)
    }

    @Test("two sessions do not join theirs")
    func sessions() async throws {
        let shared = Deduplication()
        let sessions = try ["1", "2"].map { mine in
            var configuration = SessionConfiguration()
            configuration.interceptors = [shared]
            configuration.headers = ["X-Mine": mine]
            return try Session(configuration: configuration, loop: EventLoop())
        }
        async let one = answers([request()], over: sessions[0])
        async let other = answers([request()], over: sessions[1])
        _ = try await (one, other)
        #expect(count.next() == 2)
    }

    @Test("a downloader gives nobody what was fetched for another, nor one body's answer to another")
    func downloader() async throws {
        let downloader = Downloader(
            session: HTTPSession(session: try Session(loop: EventLoop())), serializer: StringResponseSerializer())
        var texts: Set<String> = []
        for request in try [
            request { $0.credential = .bearer(token: "a") }, request { $0.credential = .bearer(token: "b") },
            request { ($0.method, $0.body) = (.post, .data(Data("a".utf8))) },
            request { ($0.method, $0.body) = (.post, .data(Data("b".utf8))) },
        ] {
            texts.insert(String(decoding: try await downloader.answer(to: request).response.body, as: UTF8.self))
        }
        #expect(texts.count == 4)
    }
}
