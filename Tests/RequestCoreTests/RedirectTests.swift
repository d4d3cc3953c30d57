import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Redirects", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct RedirectTests {
    let other: NginxServer
    let server: NginxServer

    private static let echo = """
        location / { return 200 "$request_method|$http_authorization|$http_cookie|$http_x_mine|$content_length"; }
        """

    init() throws {
        other = try NginxServer(locations: Self.echo)
        server = try NginxServer(
            locations: Self.echo + """
                location /loop { return 302 /loop; }
                location /there { return 302 /loop; }
                location /hop/3 { return 301 /hop/2; }
                location /hop/2 { return 302 ../hop/1; }
                location /hop/1 { return 307 http://127.0.0.1:$server_port/end; }
                location /nowhere { return 302 ftp://127.0.0.1/; }
                location /other { return 302 http://127.0.0.1:\(other.port)/end; }
                """
                + [301, 302, 303, 307, 308].map { "location /moved/\($0) { return \($0) /end; }\n" }.joined())
    }

    private func session(_ follower: RedirectFollower = RedirectFollower(), headers: HeaderFields = [:]) throws
        -> Session
    {
        var configuration = SessionConfiguration()
        configuration.headers = headers
        configuration.interceptors = [follower]
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String, method: RequestMethod = .get) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: method)
    }

    private func echo(_ response: Response) -> [String] {
        String(decoding: response.body, as: UTF8.self).components(separatedBy: "|")
    }

    @Test("relative and absolute redirects are followed, and the answer tells the way")
    func follow() async throws {
        let response = try await session().response(for: request("/hop/3#part"))
        #expect(response.statusCode == 200)
        #expect(response.url.absoluteString == "http://127.0.0.1:\(server.port)/end#part")
        #expect(response.redirects.map(\.path) == ["/hop/3", "/hop/2", "/hop/1"])
    }

    @Test(
        "where a redirect leads is mended where it has to be, and what is escaped stays so",
        arguments: [
            ("/a%20b c", "/a%20b%20c"), ("/a%20b[1]", "/a%20b%5B1%5D"),
            ("/%C3%A4 ü?x=%26|", "/%C3%A4%20%C3%BC?x=%26%7C"), ("?a%20=100%", "/start?a%20=100%25"),
            ("/%zz%2f", "/%25zz%2f"), ("b/c:d?e=/?:@!$'()*+,;~", "/b/c:d?e=/?:@!$'()*+,;~"),
            ("//127.0.0.1:PORT/a%20b c#d e", "/a%20b%20c"), ("http://[::ffff:127.0.0.1]:PORT/a%20b[", "/a%20b%5B"),
            ("", nil), ("http:ok", nil),
        ] as [(String, String?)])
    func oddLocation(location: String, target: String?) async throws {
        let server = try SocketServer { connection in
            while case let request = connection.readRequest(), !request.isEmpty {
                let lines = request.components(separatedBy: "\r\n")
                let port = lines.first { $0.hasPrefix("Host:") }?.components(separatedBy: ":").last ?? ""
                let path = lines[0].components(separatedBy: " ")[1]
                let isStart = path == "/start"
                let place = isStart ? "Location: \(location.replacingOccurrences(of: "PORT", with: port))\r\n" : ""
                connection.send(
                    "HTTP/1.1 \(isStart ? 302 : 200) X\r\n\(place)Content-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        let start = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/start")))
        let response = try await session().response(for: start)
        #expect(String(decoding: response.body, as: UTF8.self) == target ?? "/start")
    }

    @Test("a URL's user and password stay within its origin, and do not go elsewhere", arguments: ["/hop/1", "/other"])
    func user(path: String) async throws {
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(server.port)\(path)"))
        let answer = try await echo(session().response(for: Request(url: url)))
        #expect(answer[1] == (path == "/other" ? "" : "Basic bWU6c2VjcmV0"))
    }

    @Test("a loop ends at the limit, and its error lists the hops")
    func loop() async throws {
        let error = try await #require(throws: RequestError.self) {
            try await session(RedirectFollower(limit: 3)).response(for: request("/there"))
        }
        let base = "http://127.0.0.1:\(server.port)"
        #expect(
            error.reason == .tooManyRedirects(limit: 3, hops: ["/there", "/loop", "/loop", "/loop"].map { base + $0 }))
        #expect(try await server.logged(4) == 4)
    }

    @Test("a redirect to anything but http and https is the answer itself")
    func otherScheme() async throws {
        #expect(try await session().response(for: request("/nowhere")).statusCode == 302)
    }

    @Test(
        "POST becomes GET where browsers do so, and keeps its body where HTTP says so",
        arguments: [(301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "5"), (308, "POST", "5")])
    func post(code: Int, method: String, length: String) async throws {
        var request = try request("/moved/\(code)", method: .post)
        request.body = .data(Data("hello".utf8))
        let answer = try await echo(session().response(for: request))
        #expect(answer.first == method && answer.last == length)
    }

    @Test("PUT and DELETE stay what they are, but for 303", arguments: [RequestMethod.put, .delete])
    func otherMethods(method: RequestMethod) async throws {
        #expect(
            try await echo(session().response(for: request("/moved/301", method: method))).first == method.rawValue
        )
        #expect(try await echo(session().response(for: request("/moved/303", method: method))).first == "GET")
    }

    @Test("secrets go to the same origin only, whether they are the request's or the session's")
    func secrets() async throws {
        let session = try session(headers: ["Authorization": "Bearer session", "X-Mine": "yes"])
        var request = try request("/moved/302")
        request.headers = ["Cookie": "a=b"]
        #expect(try await echo(session.response(for: request))[1...3] == ["Bearer session", "a=b", "yes"])
        request.url = try self.request("/other").url
        #expect(try await echo(session.response(for: request))[1...3] == ["", "", "yes"])
        request.credential = .basic(user: "u", password: "p")
        #expect(try await echo(self.session().response(for: request))[1] == "")
        request.url = try self.request("/moved/302").url
        #expect(try await echo(self.session().response(for: request))[1] == "Basic dTpw")
    }

    @Test("a request that pins does not follow to where nothing can be pinned")
    func pinned() async throws {
        let authority = try CertificateAuthority()
        let secure = try TLSServer(authority.issue("server"), "error_page 418 =302 http://127.0.0.1:\(other.port)/end;")
        var policy = SecurityPolicy(pinningMode: .certificate, anchors: .file(authority.rootFile))
        policy.pinnedCertificates = try Certificate.certificates(file: authority.rootFile)
        let request = try secure.request(policy, "/teapot")
        let error = try await #require(throws: RequestError.self) { try await session().response(for: request) }
        #expect(error.reason == .pinningWithoutTLS(url: "http://127.0.0.1:\(other.port)/end"))
        #expect(other.accessLog.isEmpty)
    }

    @Test("a handler may refuse, and change what is sent")
    func handler() async throws {
        let refused = try await session(RedirectFollower(handler: RedirectAnswer.refuse)).response(
            for: request("/hop/3"))
        #expect(refused.statusCode == 301)
        let changed = try await session(
            RedirectFollower(
                handler: RedirectClosure { redirect in
                    #expect(redirect.response.statusCode / 100 == 3)
                    var request = redirect.proposed
                    request.headers["X-Mine"] = "hop \(redirect.hops.count)"
                    return .modify(request)
                })
        ).response(for: request("/hop/3"))
        #expect(echo(changed)[3] == "hop 2")
        let sameOrigin = RedirectFollower(handler: SameOriginRedirects())
        #expect(try await session(sameOrigin).response(for: request("/other")).statusCode == 302)
        #expect(try await session(sameOrigin).response(for: request("/hop/3")).statusCode == 200)
    }

    @Test("a streamed answer is that of the last hop")
    func stream() async throws {
        let stream = try await session().stream(request("/hop/3"))
        #expect(stream.head.statusCode == 200)
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(body == Data("GET||||".utf8))
    }
}

@Suite("An answer that another follows")
struct IntermediateAnswerTests {
    private static let follower: any Interceptor = RedirectFollower()

    @Test(
        "is not read without end",
        arguments: [
            (302, follower), (401, ChallengeResponder(handler: CredentialHandler(user: "user", password: "secret"))),
            (503, Attempts(retriers: [RetryPolicy { $0.backoff.base = .zero }])),
        ])
    func endless(status: Int, interceptor: any Interceptor) async throws {
        let (count, sent) = (Counter(), Counter())
        let server = try SocketServer { connection in
            connection.readRequest()
            guard count.next() == 0 else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                return
            }
            connection.send("HTTP/1.1 \(status) X\r\nLocation: /next\r\nWWW-Authenticate: Basic\r\n\r\n")
            // Up to 640 MB, of which one is wanted.
            while sent.value < 10_000, connection.send([UInt8](repeating: 0, count: 64 << 10)) { sent.next() }
        }
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        request.maximumBodySize = 1 << 20
        request.interceptors = [interceptor]
        let response = try await Session(loop: EventLoop()).response(for: request)
        #expect(response.body == Data("hello".utf8))
        #expect(sent.value < 2000)
    }
}
