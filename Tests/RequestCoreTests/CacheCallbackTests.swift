import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("What a cache is asked before it keeps an answer", .enabled(if: NginxServer.isInstalled, "needs nginx"))
struct CacheCallbackTests {
    private let server: NginxServer

    init() throws {
        server = try NginxServer(
            locations: "location / { add_header Cache-Control max-age=600; return 200 $request_id; }")
    }

    private func request(_ path: String = "/") throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    private func session(_ cache: ResponseCache, _ policy: CachePolicy = .standard) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = [cache]
        configuration.cachePolicy = policy
        return try Session(configuration: configuration, loop: EventLoop())
    }

    @Test("it may have an answer not kept")
    func refuse() async throws {
        let session = try session(ResponseCache(willStore: { $0.url.hasSuffix("/secret") ? nil : $0 }))
        for (path, expected) in [("/secret", CacheUse.miss), ("/other", .hit)] {
            _ = try await session.response(for: request(path))
            #expect(try await session.response(for: request(path)).cacheUse == expected)
        }
    }

    @Test("it may have another kept in its place")
    func change() async throws {
        let cache = ResponseCache(willStore: { answer in
            var answer = answer
            answer.body = Data("kept".utf8)
            answer.headers["X-Kept"] = "yes"
            return answer
        })
        let session = try session(cache)
        #expect(try await session.response(for: request()).body != Data("kept".utf8))
        let second = try await session.response(for: request())
        #expect(second.body == Data("kept".utf8))
        #expect(second.headers["X-Kept"] == "yes")
    }

    @Test("a request's own is asked in place of the cache's")
    func ofRequest() async throws {
        let session = try session(ResponseCache(willStore: { _ in nil }))
        var request = try request()
        _ = try await session.response(for: request)
        #expect(try await session.response(for: request).cacheUse == .miss)
        request.willStore = { $0 }
        _ = try await session.response(for: request)
        #expect(try await session.response(for: request).cacheUse == .hit)
    }

    @Test("the session's policy is for requests without one")
    func policy() async throws {
        let storage = MemoryCache()
        let filling = try session(ResponseCache(storage: storage))
        _ = try await filling.response(for: request())
        let reading = try session(ResponseCache(storage: storage), .cacheOnly)
        #expect(try await reading.response(for: request()).cacheUse == .hit)
        #expect(try await reading.response(for: request("/other")).statusCode == 504)
        var request = try request("/other")
        request.cachePolicy = .reload
        #expect(try await reading.response(for: request).statusCode == 200)
    }
}
