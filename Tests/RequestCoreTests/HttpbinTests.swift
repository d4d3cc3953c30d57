import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite(
    "A session against httpbin", .enabled(if: HttpbinServer.isInstalled, "httpbin or gunicorn is not installed"),
    .httpbin)
struct HttpbinTests {
    private func session(_ change: (inout SessionConfiguration) -> Void = { _ in }) throws -> Session {
        var configuration = SessionConfiguration.followingRedirects
        change(&configuration)
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String, _ method: RequestMethod = .get) throws -> Request {
        try HttpbinServer.request(path, method: method)
    }

    // MARK: Requests

    @Test(
        "each method arrives as it is, with its query", arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"])
    func methods(name: String) async throws {
        let path = name == "QUERY" ? "/get" : "/anything?a=1&b=x%20y"
        let response = try await session().response(for: request(path, RequestMethod(rawValue: name)))
        guard name != "QUERY" else {
            return #expect(response.statusCode == 405)
        }
        #expect(try response.object["method"] as? String == name)
        #expect(try response.texts("args") == ["a": "1", "b": "x y"])
    }

    @Test("a form, JSON and a multipart body are read there as they were meant here")
    func bodies() async throws {
        let session = try session()
        let form = try HTTPRequestSerializer().serialize(
            ["name": "Zoë & co", "list": [1, 2]], into: request("/post", .post))
        let fields = try await session.response(for: form).object["form"] as? [String: Any]
        #expect(fields?["name"] as? String == "Zoë & co")
        #expect(fields?["list[]"] as? [String] == ["1", "2"])
        let json = try JSONRequestSerializer().serialize(["a": [1, 2]], into: request("/post", .post))
        let answer = try await session.response(for: json)
        #expect(try (answer.object["json"] as? [String: [Int]])?["a"] == [1, 2])
        var parts = MultipartFormData()
        try parts.append(Data("content".utf8), name: "file", fileName: "a \"b\".txt", contentType: .octetStream)
        let multipart = try await session.response(for: request("/post", .post).carrying(parts))
        #expect(try multipart.texts("files") == ["file": "content"])
    }

    @Test("a body of unknown length arrives in chunks, whole")
    func chunked() async throws {
        var request = try request("/post", .post)
        request.headers = ["Content-Type": "text/plain"]
        request.body = .sequence {
            AsyncStream { pieces in
                for number in 0..<2000 { pieces.yield(Data("line \(number)\n".utf8)) }
                pieces.finish()
            }
        }
        let answer = try await session().response(for: request)
        #expect(try answer.object["data"] as? String == (0..<2000).map { "line \($0)\n" }.joined())
        #expect(try answer.texts("headers")["Content-Length"] == nil)
    }

    // MARK: Answers

    @Test("compressed bodies are unpacked", arguments: ["gzip": "gzipped", "deflate": "deflated", "brotli": "brotli"])
    func codings(coding: (key: String, value: String)) async throws {
        let response = try await session().response(for: request("/" + coding.key))
        #expect(try response.object[coding.value] as? Bool == true)
        #expect(response.headers["Content-Encoding"] == (coding.key == "brotli" ? "br" : coding.key))
    }

    @Test("every status is an answer", arguments: [200, 201, 204, 304, 400, 404, 418, 429, 500, 503])
    func statuses(code: Int) async throws {
        #expect(try await session().response(for: request("/status/\(code)")).statusCode == code)
    }

    @Test("bytes of a seed, in one piece and in chunks, are as many as asked for")
    func bytes() async throws {
        let session = try session()
        let whole = try await session.response(for: request("/bytes/50000?seed=7"))
        let chunks = try await session.response(for: request("/stream-bytes/50000?seed=7&chunk_size=777"))
        #expect(whole.body.count == 50_000 && chunks.body.count == 50_000)
        #expect(whole.headers["Content-Length"] == "50000" && chunks.headers["Content-Length"] == nil)
    }

    @Test("a stream of lines and a dripping body come to a reader piece by piece, to their end")
    func streams() async throws {
        let session = try session()
        var lines = Data()
        for try await piece in try await session.stream(request("/stream/20")).body { lines += piece }
        #expect(lines.split(separator: 10).count == 20)
        var (count, pieces) = (0, 0)
        for try await piece in try await session.stream(request("/drip?duration=1&numbytes=5&delay=0")).body {
            count += piece.count
            pieces += 1
        }
        #expect(count == 5)
        #expect(pieces > 1)
    }

    @Test("a delay counts as processing, and ends a request that cannot wait")
    func delay() async throws {
        let session = try session()
        let metrics = try await session.response(for: request("/delay/1")).metrics
        #expect(metrics.phases[.processing] ?? .zero >= .seconds(1))
        var hasty = try request("/delay/10")
        hasty.timeouts.total = .milliseconds(500)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: hasty) }
        #expect(error?.reason == .timedOut(.processing, after: .milliseconds(500)))
    }

    @Test("a range is given as one")
    func range() async throws {
        var request = try request("/range/1000")
        let whole = try await session().response(for: request)
        request.headers = ["Range": "bytes=100-199"]
        let part = try await session().response(for: request)
        #expect(part.statusCode == 206)
        #expect(part.body == whole.body[100..<200])
        #expect(part.headers["Content-Range"] == "bytes 100-199/1000")
    }

    // MARK: Redirects and cookies

    @Test("redirects are followed to their end", arguments: ["/redirect", "/absolute-redirect", "/relative-redirect"])
    func redirects(path: String) async throws {
        let response = try await session().response(for: request("\(path)/4"))
        #expect(response.statusCode == 200)
        #expect(response.redirects.count == 4)
        #expect(response.url.path() == "/get")
    }

    @Test("too many redirects are an error, as is a loop")
    func redirectLimit() async throws {
        let error = await #expect(throws: RequestError.self) {
            try await session().response(for: request("/redirect/25"))
        }
        guard case .tooManyRedirects(limit: 10, let hops)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(hops.count == 11)
    }

    @Test("a POST that is redirected stays one at 307, and becomes a GET at 303")
    func redirectedPost() async throws {
        for (status, method) in [(307, "POST"), (303, "GET")] {
            var post = try request("/redirect-to?status_code=\(status)&url=/anything", .post)
            post.body = .data(Data("content".utf8))
            let answer = try await session().response(for: post).object
            #expect(answer["method"] as? String == method)
            #expect(answer["data"] as? String == (status == 307 ? "content" : ""))
        }
    }

    @Test("cookies are taken on the way, sent again, and let go of")
    func cookies() async throws {
        let session = try session { $0.cookies = .memory }
        let set = try await session.response(for: request("/cookies/set?a=1&b=two"))
        #expect(try set.texts("cookies") == ["a": "1", "b": "two"])
        let deleted = try await session.response(for: request("/cookies/delete?a"))
        #expect(try deleted.texts("cookies") == ["b": "two"])
    }
}
