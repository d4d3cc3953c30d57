import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("Alamofire's own: how parameters are written")
struct CustomEncodingTests {
    let parameters: Parameters = ["list": ["a", "b"], "outer": ["inner": ["deep": 1]], "text": "a b/ü&"]

    @Test("members of arrays and dictionaries are named by functions")
    func customNames() {
        var encoding = QueryEncoding()
        encoding.arrays = .custom { "\($0)-\($1)" }
        encoding.nesting = .custom { "\($0)_\($1)" }
        #expect(encoding.query(parameters) == "list-0=a&list-1=b&outer_inner_deep=1&text=a%20b/%C3%BC%26")
        #expect(encoding == encoding)
        var other = encoding
        other.arrays = .custom { "\($0)-\($1)" }
        #expect(other != encoding)
    }

    @Test("characters may be allowed, and forbidden")
    func allowedCharacters() {
        var encoding = QueryEncoding()
        encoding.arrays = .index
        encoding.allowedCharacters += "[]"
        #expect(encoding.query(["a": ["x"]]) == "a[0]=x")
        encoding.allowedCharacters = "abc"
        #expect(encoding.query(["a": "abc/?~x"]) == "a=abc%2F%3F%7E%78")
        #expect(encoding.query(["ü": "ü"]) == "%C3%BC=%C3%BC")
    }

    @Test("dates are written as a format style says")
    func formattedDates() throws {
        struct Event: Encodable { let at = Date(timeIntervalSince1970: 1_795_249_200) }
        var encoder = ParameterEncoder()
        encoder.dates = .formatted(Date.ISO8601FormatStyle().year().month().day())
        #expect(try encoder.parameters(Event())["at"] == "2026-11-21")
        encoder.dates = .formatted(.iso8601)
        #expect(try encoder.parameters(Event())["at"] == "2026-11-21T08:20:00Z")
    }
}

@Suite("Alamofire's own: what is watched and kept", .timeLimit(.minutes(2)))
struct WatchedFeatureTests {
    func url(_ server: SocketServer, _ path: String = "/") throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    }

    func serving(_ answers: @escaping @Sendable (Int) -> String) throws -> (server: SocketServer, count: Counter) {
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 \(answers(count.next()))")
        }
        return (server, count)
    }

    @Test("a retry is told with its count, its wait and its cause, and a validation with its verdict")
    func decisions() async throws {
        let (server, _) = try serving { number in
            number < 2
                ? "503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                : "404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        }
        let stream = EventStream()
        var retries = stream.retries.makeAsyncIterator()
        var validations = stream.validations.makeAsyncIterator()
        var configuration = SessionConfiguration()
        configuration.monitors = [stream]
        configuration.interceptors = [
            Attempts(retriers: [RetryPolicy { $0.backoff = Backoff(base: .milliseconds(2), factor: 3, jitter: 0) }])
        ]
        let api = HTTPSession(session: try Session(configuration: configuration, loop: EventLoop()))
        let address = try url(server).absoluteString
        let error = await #expect(throws: HTTPSessionError.self) {
            try await api.get(address, as: HTTPResponseSerializer())
        }
        #expect(error?.response?.statusCode == 404)
        for count in 1...2 {
            let retry = try #require(await retries.next())
            #expect(retry.count == count)
            #expect(retry.delay == .milliseconds(count == 1 ? 2 : 6))
            #expect(try retry.result.get().statusCode == 503)
        }
        let validation = try #require(await validations.next())
        #expect(validation.error?.status == 404)
        #expect(validation.response.statusCode == 404)
    }

    @Test("an answer that was kept says so, one entry can be removed, and a hook keeps what must not be kept away")
    func downloader() async throws {
        let (server, count) = try serving { "200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n\($0)" }
        let cache = MemoryDownloadCache<String>(cost: { _ in -5 }) { $1.url.path() != "/secret" }
        let downloader = Downloader(
            session: HTTPSession(session: try Session(loop: EventLoop())), serializer: StringResponseSerializer(),
            cache: cache)
        let (open, secret) = (Request(url: try url(server, "/open")), Request(url: try url(server, "/secret")))
        let first = try await downloader.answer(to: open)
        #expect(!first.isFromCache)
        let second = try await downloader.answer(to: open)
        #expect(second.isFromCache && second.value == first.value)
        #expect(cache.usage == 0)
        #expect(await downloader.removeCachedAnswer(to: open))
        #expect(await !downloader.removeCachedAnswer(to: open))
        #expect(try await !downloader.answer(to: open).isFromCache)
        _ = try await downloader.answer(to: secret)
        #expect(try await !downloader.answer(to: secret).isFromCache)
        #expect(count.value == 4)
    }

    @Test("an answer without a body does not count for nothing where it is kept")
    func emptyAnswers() async throws {
        let (server, _) = try serving { _ in "200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" }
        let cache = MemoryDownloadCache<String>()
        let downloader = Downloader(
            session: HTTPSession(session: try Session(loop: EventLoop())), serializer: StringResponseSerializer(),
            cache: cache)
        let request = Request(url: try url(server))
        _ = try await downloader.answer(to: request)
        #expect(try await downloader.answer(to: request).isFromCache)
        #expect(cache.usage > 1024)
    }

    @Test("the command line of a session's request has what the session adds")
    func curl() async throws {
        let (server, _) = try serving { _ in
            "200 OK\r\nConnection: close\r\nSet-Cookie: id=secret; Path=/a\r\nSet-Cookie: other=1; Path=/b\r\n"
                + "Content-Length: 0\r\n\r\n"
        }
        var configuration = SessionConfiguration()
        configuration.headers = ["X-App": "netwatch", "Accept": "*/*"]
        configuration.cookies = .memory
        configuration.timeouts = Timeouts(connect: .seconds(3), total: .seconds(9))
        configuration.httpVersion = .http1
        let session = try Session(configuration: configuration, loop: EventLoop())
        var request = Request(url: try url(server, "/a/x"))
        _ = try await session.response(for: request)
        request.headers = ["Accept": "text/plain"]
        let line = await session.curlCommand(for: request).description
        #expect(line.contains("X-App: netwatch") && line.contains("Accept: text/plain") && !line.contains("*/*"))
        #expect(line.contains("--cookie 'id=<redacted>'") && !line.contains("other"))
        #expect(line.contains("--compressed") && line.contains("--http1.1") && line.contains("--noproxy '*'"))
        #expect(line.contains("--connect-timeout 3") && line.contains("--max-time 9"))
        let shown = await session.curlCommand(for: request, secrets: .shown).arguments
        #expect(shown.contains("id=secret"))
        var proxied = SessionConfiguration()
        var proxy = Proxy(.http, host: "proxy.example", port: 3128, user: "me", password: "secret")
        proxy.exceptions = ["internal"]
        proxied.proxy = .proxy(proxy)
        proxied.interface = .name("eth0")
        proxied.unixSocket = "/run/x.sock"
        let words = CurlCommand(request, sentWith: proxied).arguments.joined(separator: " ")
        #expect(words.contains("--proxy http://proxy.example:3128 --proxy-user me:<redacted> --noproxy internal"))
        #expect(words.contains("--interface if!eth0") && words.contains("--unix-socket /run/x.sock"))
    }
}
