import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

/// Gives numbered tokens: `token 1`, `token 2` …
private final class Tokens: Authenticator {
    struct Refused: Error {}

    let refreshes = Mutex(0)
    let isBroken = Mutex(false)
    let expired = Mutex<Set<Int>>([])

    func apply(_ token: Int, to request: inout Request) {
        request.headers["Authorization"] = "Bearer \(token)"
    }

    func refresh(_ token: Int) async throws -> Int {
        refreshes.withLock { $0 += 1 }
        try await Task.sleep(for: .milliseconds(30))
        if isBroken.withLock({ $0 }) { throw Refused() }
        return token + 1
    }

    func needsRefresh(_ token: Int) -> Bool {
        expired.withLock { $0.contains(token) }
    }

    var count: Int { refreshes.withLock { $0 } }
}

@Suite("The authentication interceptor", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct AuthenticationInterceptorTests {
    /// Accepts the token 2 only.
    let server: NginxServer
    private let tokens = Tokens()

    init() throws {
        server = try NginxServer(
            locations: """
                location / {
                    if ($http_authorization != "Bearer 2") { return 401; }
                    return 200 ok;
                }
                location /never { return 401; }
                """)
    }

    private func session(_ interceptor: AuthenticationInterceptor<Tokens>) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts([interceptor])]
        configuration.maximumConnectionsPerHost = 32
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String = "/") throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    private func reason(_ session: Session, _ path: String = "/") async throws -> RequestError {
        try await #require(throws: RequestError.self) { try await session.response(for: request(path)) }
    }

    @Test("a thousand requests with an old token cause one refresh, and all succeed")
    func manyWaiters() async throws {
        let session = try session(AuthenticationInterceptor(tokens, token: 1))
        let request = try request()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await session.response(for: request).statusCode } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1000])
        #expect(tokens.count == 1)
    }

    @Test("a token that is taken away or replaced while it is renewed does not come back")
    func replacedMeanwhile() async throws {
        let interceptor = AuthenticationInterceptor(tokens, token: 1)
        let session = try session(interceptor)
        let request = try request()
        for token in [nil, 2] {
            await interceptor.setToken(1)
            let before = tokens.count
            let asked = Task { try await session.response(for: request).statusCode }
            while tokens.count == before { try await Task.sleep(for: .milliseconds(1)) }
            await interceptor.setToken(token)
            let result = await asked.result
            #expect((try? result.get()) == token.map { _ in 200 }, "\(result)")
            // Long after the refresh.
            try await Task.sleep(for: .milliseconds(100))
            #expect((try? await session.response(for: request).statusCode) == token.map { _ in 200 })
        }
    }

    @Test("a token near its end is renewed before it is used")
    func proactive() async throws {
        tokens.expired.withLock { $0 = [1] }
        let session = try session(AuthenticationInterceptor(tokens, token: 1))
        #expect(try await session.response(for: request()).statusCode == 200)
        #expect(tokens.count == 1)
        #expect(try await server.logged(1) == 1)
    }

    @Test("a refresh that fails fails the request with its error, and the next request tries again")
    func failure() async throws {
        tokens.isBroken.withLock { $0 = true }
        let session = try session(AuthenticationInterceptor(tokens, token: 1))
        let error = try await reason(session)
        #expect(error.reason == .authentication(.refreshFailed("Refused()")))
        #expect(error.underlying is Tokens.Refused)
        tokens.isBroken.withLock { $0 = false }
        #expect(try await session.response(for: request()).statusCode == 200)
        #expect(tokens.count == 2)
    }

    @Test("a token that is refused again and again is not renewed for ever")
    func excessive() async throws {
        let session = try session(
            AuthenticationInterceptor(tokens, token: 1, window: .init(count: 3, interval: .seconds(60))))
        let error = try await reason(session, "/never")
        #expect(error.reason == .authentication(.excessiveRefresh(count: 3, within: .seconds(60))))
        #expect(tokens.count == 3)
        #expect(try await server.logged(4) == 4)
    }

    @Test("a token that is refused again and again, but slowly, is not renewed for ever: the refusal is the answer")
    func excessiveSlowly() async throws {
        let session = try session(AuthenticationInterceptor(tokens, token: 1, window: .init(count: 3, interval: .zero)))
        #expect(try await session.response(for: request("/never")).statusCode == 401)
        #expect(tokens.count == 4)
        #expect(try await server.logged(5) == 5)
    }

    @Test("without a token nothing is sent")
    func missing() async throws {
        let interceptor = AuthenticationInterceptor(tokens, token: nil)
        let session = try session(interceptor)
        #expect(try await reason(session).reason == .authentication(.missingToken))
        #expect(server.accessLog.isEmpty)
        await interceptor.setToken(2)
        #expect(try await session.response(for: request()).statusCode == 200)
    }

    @Test("a request that is refused once its token has been taken away fails for want of one")
    func takenAway() async throws {
        let interceptor = AuthenticationInterceptor(tokens, token: 1)
        var configuration = SessionConfiguration()
        configuration.interceptors = [
            Attempts(adapters: [interceptor, SignOut(interceptor: interceptor)], retriers: [interceptor])
        ]
        let session = try Session(configuration: configuration, loop: EventLoop())
        #expect(try await reason(session).reason == .authentication(.missingToken))
        #expect(tokens.count == 0)
        #expect(try await server.logged(1) == 1)
    }

    /// Takes the token away once it is in the request.
    private struct SignOut: RequestAdapter {
        let interceptor: AuthenticationInterceptor<Tokens>

        func adapt(_ request: Request) async -> Request {
            await interceptor.setToken(nil)
            return request
        }
    }

    @Test("a request that waits for a refresh can be cancelled, and the others go on")
    func cancelled() async throws {
        let session = try session(AuthenticationInterceptor(tokens, token: 1))
        let request = try request()
        let first = Task { try await session.response(for: request) }
        let second = Task { try await session.response(for: request) }
        try await expectSoon("a refresh") { tokens.count > 0 }
        first.cancel()
        let error = await #expect(throws: RequestError.self) { try await first.value }
        #expect(error?.reason == .cancelled)
        #expect(try await second.value.statusCode == 200)
        #expect(tokens.count == 1)
    }
}

/// Adds its token to what is there, so that it does not know its own work again.
private struct AddedTokens: Authenticator {
    func apply(_ token: Int, to request: inout Request) { request.headers.append("Authorization", "Bearer \(token)") }

    func refresh(_ token: Int) async throws -> Int { token + 1 }
}

@Suite("An authenticator that does not know its own token again", .timeLimit(.minutes(1)))
struct ForgetfulAuthenticatorTests {
    @Test(
        "has a refused token renewed, and sends it no second time as it was",
        arguments: [(2, [1, 2]), (9, [1, 2, 3])])
    func renewal(accepted: Int, sent: [Int]) async throws {
        let tokens = Mutex<[Int]>([])
        let server = try SocketServer { connection in
            while let line = connection.readRequest().split(separator: "\r\n").first(where: { $0.contains("Bearer") }) {
                let token = Int(line.split(separator: " ")[2]) ?? 0
                tokens.withLock { $0.append(token) }
                let status = token == accepted ? "200 OK" : "401 Unauthorized"
                connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        var configuration = SessionConfiguration()
        configuration.interceptors = [
            Attempts([AuthenticationInterceptor(AddedTokens(), token: 1, window: .init(count: 2))])
        ]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let response = try? await session.response(for: request)
        #expect(response?.statusCode == (accepted == 2 ? 200 : nil))
        #expect(tokens.withLock { $0 } == sent)
    }
}

/// Renews its token by a request of the session that waits for it.
private final class SelfServed: Authenticator {
    let session = Mutex<Session?>(nil)
    let path: String
    let expired: Bool

    init(path: String, expired: Bool) {
        self.path = path
        self.expired = expired
    }

    func apply(_ token: Int, to request: inout Request) {
        request.headers["Authorization"] = "Bearer \(token)"
    }

    func needsRefresh(_ token: Int) -> Bool { expired && token == 1 }

    func refresh(_ token: Int) async throws -> Int {
        guard let session = session.withLock({ $0 }), let url = URL(string: path) else {
            throw RequestError(.cancelled)
        }
        _ = try await session.response(for: Request(url: url))
        return token + 1
    }
}

@Suite("A token that is renewed through the session that waits for it", .timeLimit(.minutes(1)))
struct SelfServedTokenTests {
    private let server: SocketServer
    private let asked = Counter()

    init() throws {
        server = try SocketServer { [asked] connection in
            let request = connection.readRequest()
            asked.next()
            let isWelcome = request.hasPrefix("GET /token ") || request.contains("Authorization: Bearer 2")
            let status = isWelcome ? 200 : 401
            connection.send("HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
    }

    private func session(_ path: String, expired: Bool) throws -> Session {
        let tokens = SelfServed(path: "http://127.0.0.1:\(server.port)\(path)", expired: expired)
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts([AuthenticationInterceptor(tokens, token: 1)])]
        let session = try Session(configuration: configuration, loop: EventLoop())
        tokens.session.withLock { $0 = session }
        return session
    }

    private var request: Request {
        get throws { Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/"))) }
    }

    @Test("is renewed, whether before it is used or once it is refused", arguments: [true, false])
    func renewed(expired: Bool) async throws {
        #expect(try await session("/token", expired: expired).response(for: request).statusCode == 200)
    }

    @Test("fails with the refusal where its renewal is refused", arguments: [true, false])
    func refused(expired: Bool) async throws {
        let error = try await #require(throws: RequestError.self) {
            try await session("/refused", expired: expired).response(for: request)
        }
        #expect((error.underlying as? RequestError)?.reason == .unacceptableStatus(401, body: Data()))
        #expect(asked.value == (expired ? 1 : 2))
    }
}
