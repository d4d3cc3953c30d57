import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

/// Two servers, of which the first one leads to the second. Both ask for a password.
private final class RedirectingServers: Sendable {
    let home: SocketServer
    let other: SocketServer
    private let heard: Heard

    private final class Heard: Sendable {
        let home = Mutex<[String]>([])
        let other = Mutex<[String]>([])
    }

    init() throws {
        let heard = Heard()
        let homePort = Mutex(0)
        other = try SocketServer { connection in
            while let request = connection.nextRequest() {
                heard.other.withLock { $0.append(request) }
                if request.hasPrefix("GET /back ") {
                    connection.redirect(to: "http://127.0.0.1:\(homePort.withLock { $0 })/end")
                } else if request.hasPrefix("GET /on ") {
                    connection.redirect(to: "/end")
                } else {
                    connection.challenge()
                }
            }
        }
        let otherPort = other.port
        home = try SocketServer { connection in
            while let request = connection.nextRequest() {
                heard.home.withLock { $0.append(request) }
                let path = request.split(separator: " ")[1]
                if path == "/here" {
                    connection.redirect(to: "/end")
                } else if path.hasPrefix("/to/") {
                    connection.redirect(to: "http://127.0.0.1:\(otherPort)/\(path.dropFirst("/to/".count))")
                } else if request.contains("Authorization: ") {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                } else {
                    connection.challenge()
                }
            }
        }
        self.heard = heard
        let port = home.port
        homePort.withLock { $0 = port }
    }

    func request(_ path: String) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(home.port)\(path)")))
    }

    /// What each server was sent since this was last asked.
    func takeRequests() -> (home: [String], other: [String]) {
        (heard.home.withLock { taken(&$0) }, heard.other.withLock { taken(&$0) })
    }

    private func taken(_ requests: inout [String]) -> [String] {
        defer { requests = [] }
        return requests
    }
}

extension SocketServer.Connection {
    /// The header of the next request of a connection that is kept; nil at its end.
    fileprivate func nextRequest() -> String? {
        let request = readRequest()
        return request.hasSuffix("\r\n\r\n") ? request : nil
    }

    fileprivate func redirect(to location: String) {
        send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }

    fileprivate func challenge() {
        send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
    }
}

/// A token in a field that only its authenticator knows to be secret.
private struct OwnField: Authenticator {
    func apply(_ token: String, to request: inout Request) {
        request.headers["X-Own"] = token
        request.headers["Authorization"] = "Bearer \(token)"
    }

    func refresh(_ token: String) async throws -> String { token + "-secret-renewed" }
}

/// Adds a secret to every request that it sees.
private struct EagerAdapter: RequestAdapter {
    func adapt(_ request: Request) async throws(RequestError) -> Request {
        var request = request
        request.headers["X-Api-Key"] = "secret-adapter-key"
        request.credential = request.credential ?? .bearer(token: "secret-adapter-token")
        return request
    }
}

private struct EagerInterceptor: Interceptor {
    func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        exchange.request.headers["Cookie"] = "secret-interceptor=1"
        return try await next(exchange)
    }
}

@Suite("Secrets and the order of interceptors")
struct SecretOrderTests {
    /// Every one that is shipped, each made anew.
    private static let makers: [@Sendable () -> any Interceptor] = [
        { Deduplication() },
        { ResponseCache() },
        {
            Attempts(
                [AuthenticationInterceptor(OwnField(), token: "secret-token")], retriers: [RetryPolicy { $0.limit = 0 }]
            )
        },
        { RedirectFollower() },
        { ChallengeResponder(handler: CredentialHandler(user: "me", password: "secret-password")) },
    ]

    private static func orders(_ items: [Int]) -> [[Int]] {
        guard !items.isEmpty else { return [[]] }
        return items.flatMap { first in orders(items.filter { $0 != first }).map { [first] + $0 } }
    }

    private func session(_ interceptors: [any Interceptor], _ loop: EventLoop) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = interceptors
        configuration.headers = ["X-Csrf-Token": "secret-session"]
        return try Session(configuration: configuration, loop: loop)
    }

    /// What all secrets have in common: as it is, and as Basic writes `me:secret-password`.
    private func tellsSecret(_ request: String) -> Bool {
        request.contains("secret") || request.contains("bWU6") || request.lowercased().contains("authorization:")
            || request.lowercased().contains("cookie:")
    }

    @Test("no order of the shipped interceptors, in the session or the request, tells another origin a secret")
    func everyOrder() async throws {
        let servers = try RedirectingServers()
        let loop = try EventLoop()
        for order in Self.orders(Array(Self.makers.indices)) {
            let ofSession = Int.random(in: 0...order.count)
            let interceptors = order.map { Self.makers[$0]() }
            let session = try session(Array(interceptors.prefix(ofSession)), loop)
            for path in ["/to/end", "/to/on", "/to/back"] {
                var request = try servers.request(path)
                request.headers = ["Cookie": "secret-cookie=1"]
                request.interceptors = Array(interceptors.dropFirst(ofSession))
                let response = try await session.response(for: request)
                #expect(response.statusCode == 401, "\(order) \(path)")
                let (home, other) = servers.takeRequests()
                #expect(home.first?.contains("secret-token") == true && !other.isEmpty, "\(order) \(path)")
                #expect(!other.contains(where: tellsSecret), "\(order) in the session \(ofSession): \(path)")
                // The server that leads back has chosen what is asked for.
                #expect(!home.dropFirst().contains(where: tellsSecret) || path != "/to/back", "\(order) \(path)")
            }
        }
    }

    @Test("with any order the secrets go where they are for, over a redirect too")
    func sameOrigin() async throws {
        let servers = try RedirectingServers()
        let loop = try EventLoop()
        for order in Self.orders(Array(Self.makers.indices)) {
            let session = try session(order.map { Self.makers[$0]() }, loop)
            let response = try await session.response(for: servers.request("/here"))
            #expect(response.statusCode == 200 && response.redirects.count == 1, "\(order)")
            #expect(servers.takeRequests().home.allSatisfy { $0.contains("X-Own: secret-token") }, "\(order)")
        }
    }

    @Test("a challenge is answered with either order of follower and responder", arguments: [true, false])
    func challenge(isFollowerFirst: Bool) async throws {
        let servers = try RedirectingServers()
        let responder = ChallengeResponder(handler: CredentialHandler(user: "me", password: "p"))
        let pair: [any Interceptor] =
            isFollowerFirst ? [RedirectFollower(), responder] : [responder, RedirectFollower()]
        let session = try session(pair, EventLoop())
        #expect(try await session.response(for: servers.request("/here")).statusCode == 200)
        // Only the leg that asked is sent again.
        #expect(servers.takeRequests().home.map { $0.split(separator: " ")[1] } == ["/here", "/end", "/end"])
    }

    @Test("what interceptors of one's own add on a leg that has left its origin is dropped")
    func ownInterceptors() async throws {
        let servers = try RedirectingServers()
        let session = try session(
            [RedirectFollower(), Attempts(adapters: [EagerAdapter()]), EagerInterceptor()], EventLoop())
        _ = try await session.response(for: servers.request("/to/end"))
        let (home, other) = servers.takeRequests()
        #expect(home.allSatisfy { $0.contains("secret-adapter-key") && $0.contains("secret-interceptor") })
        #expect(other.count == 1 && !other.contains(where: tellsSecret))
    }

    @Test("a handler that changes a redirect takes no secret along, and gives one on purpose")
    func handler() async throws {
        let servers = try RedirectingServers()
        let port = servers.other.port
        let taking = RedirectClosure { redirect in
            var request = redirect.request
            request.url =
                redirect.proposed.url.path == "/end"
                ? URL(string: "http://127.0.0.1:\(port)/end") ?? request.url
                : request.url
            return .modify(request)
        }
        var request = try servers.request("/here")
        request.headers = ["Authorization": "secret", "Host": "home.test"]
        _ = try await session([RedirectFollower(handler: taking)], EventLoop()).response(for: request)
        let other = servers.takeRequests().other
        #expect(other.count == 1 && !other.contains { tellsSecret($0) || $0.contains("home.test") })
        let giving = RedirectClosure { redirect in
            var request = redirect.proposed
            if request.hasLeftOrigin { request.headers["Authorization"] = "for the other" }
            return .modify(request)
        }
        request.url = try servers.request("/to/on").url
        _ = try await session([RedirectFollower(handler: giving)], EventLoop()).response(for: request)
        let given = servers.takeRequests().other
        #expect(given.count == 2 && given.allSatisfy { $0.contains("Authorization: for the other\r\n") })
        #expect(!given.contains { $0.contains("secret") })
    }

    /// Knows a password for each origin.
    private struct Keys: ChallengeHandler {
        var knowsOrigins: Bool { true }

        func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
            guard challenge.previousFailures == 0 else { return .defaultHandling }
            return .use(.bearer(token: "for-\(challenge.origin.port)"))
        }
    }

    @Test("a handler that knows origins answers each with its own credential")
    func knowingHandler() async throws {
        let servers = try RedirectingServers()
        let session = try session([ChallengeResponder(handler: Keys()), RedirectFollower()], EventLoop())
        #expect(try await session.response(for: servers.request("/to/end")).statusCode == 401)
        let other = servers.takeRequests().other
        #expect(other.count == 2 && other.last?.contains("Bearer for-\(servers.other.port)\r\n") == true)
        #expect(try await session.response(for: servers.request("/here")).statusCode == 200)
        #expect(servers.takeRequests().home.last?.contains("Bearer for-\(servers.home.port)\r\n") == true)
    }

    @Test("a refusal by another origin renews no token")
    func foreignRefusal() async throws {
        let servers = try RedirectingServers()
        for interceptors in [[0, 1], [1, 0]] {
            let pair: [any Interceptor] = [
                Attempts([AuthenticationInterceptor(OwnField(), token: "secret-token")]), RedirectFollower(),
            ]
            _ = try await session(interceptors.map { pair[$0] }, EventLoop()).response(for: servers.request("/to/end"))
            #expect(servers.takeRequests().home.count == 1)
        }
    }

    @Test("an HTTPSession follows at most ten redirects, a Session none")
    func limits() async throws {
        let server = try SocketServer { connection in
            while let request = connection.nextRequest() {
                let left = Int(request.split(separator: " ")[1].dropFirst()) ?? 0
                if left > 0 {
                    connection.redirect(to: "/\(left - 1)")
                } else {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
        let session = try Session(loop: EventLoop())
        let base = "http://127.0.0.1:\(server.port)/"
        var api = HTTPSession(session: session, baseURL: try BaseURL(base))
        let answer = try await api.get("10", as: StringResponseSerializer())
        #expect(answer.value == "ok" && answer.response.redirects.count == 10)
        let error = try await #require(throws: HTTPSessionError.self) {
            try await api.get("11", as: StringResponseSerializer())
        }
        guard case .transfer(let cause) = error, case .tooManyRedirects(limit: 10, _) = cause.reason else {
            Issue.record("\(error)")
            return
        }
        let one = Request(url: try #require(URL(string: base + "1")))
        #expect(try await session.response(for: one).statusCode == 302)
        api.redirects = nil
        let refused = await #expect(throws: HTTPSessionError.self) {
            try await api.get("1", as: StringResponseSerializer())
        }
        #expect(refused?.response?.statusCode == 302)
    }

    @Test("the time-out for all is for all legs of a redirect together")
    func total() async throws {
        let legs = Mutex(0)
        let server = try SocketServer { connection in
            while let request = connection.nextRequest() {
                legs.withLock { $0 += 1 }
                let left = Int(request.split(separator: " ")[1].dropFirst()) ?? 0
                usleep(200_000)
                connection.redirect(to: "/\(left + 1)")
            }
        }
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/0")))
        request.timeouts.total = .milliseconds(700)
        let session = try Session(configuration: .followingRedirects, loop: EventLoop())
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
        guard case .timedOut(_, after: .milliseconds(700)) = error.reason else {
            Issue.record("\(error)")
            return
        }
        // One alone takes no longer than it may, and ten would end with an error of their own.
        #expect(legs.withLock { $0 } < 6)
    }
}
