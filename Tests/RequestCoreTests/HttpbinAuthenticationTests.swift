import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite(
    "Authentication and validation against httpbin",
    .enabled(if: HttpbinServer.isInstalled, "httpbin or gunicorn is not installed"), .httpbin)
struct HttpbinAuthenticationTests {
    private func response(
        _ path: String, _ credential: Credential?, _ interceptors: [any Interceptor] = []
    ) async throws -> Response {
        var configuration = SessionConfiguration.default
        configuration.interceptors = interceptors
        // httpbin knows by a cookie who was told which nonce.
        configuration.cookies = .memory
        var request = try HttpbinServer.request(path)
        request.credential = credential
        return try await Session(configuration: configuration, loop: EventLoop()).response(for: request)
    }

    @Test("Basic: the right password and no other")
    func basic() async throws {
        let path = "/basic-auth/user/se%3Acret"
        let right = try await response(path, .basic(user: "user", password: "se:cret"))
        #expect(try right.object["authenticated"] as? Bool == true)
        #expect(try await response(path, .basic(user: "user", password: "secret")).statusCode == 401)
        #expect(try await response(path, nil).statusCode == 401)
    }

    @Test(
        "Digest, in each algorithm, with and without the body's",
        arguments: ["auth/user/secret/MD5", "auth/user/secret/SHA-256", "auth-int/user/secret/MD5"])
    func digest(path: String) async throws {
        let right = try await response("/digest-auth/" + path, .digest(user: "user", password: "secret"))
        #expect(right.statusCode == 200)
        #expect(try right.object["user"] as? String == "user")
        let wrong = try await response("/digest-auth/" + path, .digest(user: "user", password: "other"))
        #expect(wrong.statusCode == 401)
    }

    @Test("a handler answers a Digest challenge")
    func challenge() async throws {
        let responder = ChallengeResponder(handler: CredentialHandler(user: "user", password: "secret"))
        let answer = try await response("/digest-auth/auth/user/secret", nil, [responder])
        #expect(try answer.object["authenticated"] as? Bool == true)
    }

    @Test("Bearer: the token arrives")
    func bearer() async throws {
        #expect(try await response("/bearer", .bearer(token: "abc")).object["authenticated"] as? Bool == true)
        let echo = try await response("/headers", .bearer(token: "abc"))
        #expect(try echo.texts("headers")["Authorization"] == "Bearer abc")
        #expect(try await response("/bearer", nil).statusCode == 401)
    }

    @Test("a fresh answer comes from the cache, and one with a validator is asked about again")
    func cache() async throws {
        var configuration = SessionConfiguration.default
        configuration.interceptors = [ResponseCache(storage: MemoryCache())]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let fresh = try HttpbinServer.request("/cache/60")
        let first = try await session.response(for: fresh)
        let second = try await session.response(for: fresh)
        #expect(first.body == second.body)
        #expect(second.cacheUse == .hit)
        let tagged = try HttpbinServer.request("/etag/abc")
        #expect(try await session.response(for: tagged).cacheUse != .revalidated)
        #expect(try await session.response(for: tagged).cacheUse == .revalidated)
    }

    @Test("a condition that holds is answered with 304")
    func condition() async throws {
        let session = try Session(loop: EventLoop())
        var request = try HttpbinServer.request("/etag/abc")
        request.headers = ["If-None-Match": "abc"]
        #expect(try await session.response(for: request).statusCode == 304)
        request.headers = ["If-Match": "other"]
        #expect(try await session.response(for: request).statusCode == 412)
    }
}
