import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("Challenges", .enabled(if: LighttpdServer.isInstalled, "lighttpd is not installed"))
struct AuthenticationChallengeTests {
    let server: LighttpdServer

    init() throws {
        server = try LighttpdServer()
    }

    /// Notes what it is asked and gives the next answer.
    final class Handler: ChallengeHandler {
        let challenges = Mutex<[AuthenticationChallenge]>([])
        private let answers: Mutex<[ChallengeAnswer]>

        init(_ answers: ChallengeAnswer...) { self.answers = Mutex(answers) }

        func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
            challenges.withLock { $0.append(challenge) }
            return answers.withLock { $0.isEmpty ? .defaultHandling : $0.removeFirst() }
        }
    }

    private func session(_ handler: (any ChallengeHandler)? = nil) throws -> Session {
        var configuration = SessionConfiguration()
        if let handler { configuration.interceptors = [ChallengeResponder(handler: handler)] }
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String, _ credential: Credential? = nil) throws -> Request {
        var request = try Request(url: server.url(path))
        request.credential = credential
        return request
    }

    private let basic = Credential.basic(user: "user", password: "secret")
    private let digest = Credential.digest(user: "user", password: "secret")

    @Test("a credential of the request is enough")
    func credential() async throws {
        let session = try session()
        #expect(try await session.response(for: request("/basic/")).statusCode == 401)
        #expect(try await session.response(for: request("/basic/", basic)).body == Data("basic ok".utf8))
        #expect(try await session.response(for: request("/digest/", digest)).body == Data("digest ok".utf8))
        #expect(
            try await session.response(for: request("/digest/", .digest(user: "user", password: "x"))).statusCode == 401
        )
    }

    @Test("a streamed answer is that after the digest was checked")
    func streamedDigest() async throws {
        let stream = try await session().stream(request("/digest/", digest))
        #expect(stream.head.statusCode == 200)
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(body == Data("digest ok".utf8))
    }

    @Test("a handler is told what the server asks for, and its credential is sent")
    func handler() async throws {
        for (path, scheme, realm, credential) in [
            ("/basic/", "basic", "here", basic), ("/digest/", "digest", "there", digest),
        ] {
            let handler = Handler(.use(credential))
            #expect(try await session(handler).response(for: request(path)).statusCode == 200)
            let challenge = try #require(handler.challenges.withLock { $0.first })
            #expect(challenge.scheme == scheme && challenge.realm == realm && challenge.previousFailures == 0)
            #expect(scheme == "basic" || challenge.parameters["nonce"] != nil)
        }
    }

    @Test("wrong, then right: the handler is told of the failure")
    func secondTry() async throws {
        let handler = Handler(.use(.basic(user: "user", password: "wrong")), .use(basic))
        #expect(try await session(handler).response(for: request("/basic/")).statusCode == 200)
        #expect(handler.challenges.withLock { $0.map(\.previousFailures) } == [0, 1])
    }

    @Test("default handling and rejection leave the refusal, cancelling is an error")
    func otherAnswers() async throws {
        #expect(try await session(Handler(.defaultHandling)).response(for: request("/basic/")).statusCode == 401)
        #expect(try await session(Handler(.reject)).response(for: request("/basic/")).statusCode == 401)
        let error = try await #require(throws: RequestError.self) {
            try await session(Handler(.cancel)).response(for: request("/basic/"))
        }
        #expect(error.reason == .authentication(.challengeCancelled(scheme: "basic")))
    }

    @Test("a user and password answer either scheme, once", arguments: ["/basic/", "/digest/"])
    func userAndPassword(path: String) async throws {
        #expect(
            try await session(CredentialHandler(user: "user", password: "secret")).response(for: request(path))
                .statusCode == 200)
        let wrong = try session(CredentialHandler(user: "user", password: "wrong"))
        #expect(try await wrong.response(for: request(path)).statusCode == 401)
    }

    @Test("a bearer token goes into its field")
    func bearer() async throws {
        let server = try NginxServer(locations: "location / { return 200 $http_authorization; }")
        var request = try Request(url: #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        request.credential = .bearer(token: "abc.def")
        #expect(try await session().response(for: request).body == Data("Bearer abc.def".utf8))
    }

    @Test(
        "what cannot be read of a challenge does not hide the next one",
        arguments: [
            "Negotiate YII/a==, Basic realm=\"here\"", "Negotiate YIIa==, Basic realm=\"here\"",
            "Bearer realm=foo/bar, Basic realm=\"here\"", "\"?\", Basic realm=\"here\"",
            "Bearer realm=, Basic realm=\"here\"",
        ])
    func unreadable(field: String) async throws {
        let server = try SocketServer { connection in
            while case let head = connection.readRequest(), head.hasSuffix("\r\n\r\n") {
                let isProven = head.contains("Authorization: Basic ")
                let refusal = "401 X\r\nWWW-Authenticate: \(field)"
                connection.send("HTTP/1.1 \(isProven ? "200 OK" : refusal)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let session = try session(CredentialHandler(user: "user", password: "secret"))
        #expect(try await session.response(for: request).statusCode == 200)
    }

    @Test("a user name with a colon is refused for Basic, and not sent as half a name and another password")
    func colon() async throws {
        let request = try request("/basic/", .basic(user: "me:you", password: "secret"))
        let error = try await #require(throws: RequestError.self) { try await session().response(for: request) }
        #expect(error.reason == .authentication(.colonInUser("me:you")))
    }

    @Test("a credential cannot break out of its header field")
    func injection() async throws {
        let request = try request("/basic/", .bearer(token: "a\r\nX-Injected: 1"))
        let error = try await #require(throws: RequestError.self) { try await session().response(for: request) }
        #expect(error.reason == .invalidMessage(.invalidFieldValue(name: "Authorization")))
    }
}
