import Dispatch
import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("A base URL")
struct BaseURLTests {
    @Test(
        "references are resolved as RFC 3986 says, the base path being a folder",
        arguments: [
            ("foo", "http://example.com/v1/foo"),
            ("foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
            ("/foo", "http://example.com/foo"),
            ("foo/", "http://example.com/v1/foo/"),
            ("/foo/", "http://example.com/foo/"),
            ("http://example2.com/", "http://example2.com/"),
            ("", "http://example.com/v1/"),
            ("?a=b", "http://example.com/v1/?a=b"),
            ("../x", "http://example.com/x"),
            ("//h/p", "http://h/p"),
        ])
    func references(reference: String, expected: String) throws {
        for base in ["http://example.com/v1", "http://example.com/v1/"] {
            #expect(try BaseURL(base).resolve(reference).absoluteString == expected)
        }
    }

    @Test(
        "only a path gets its slash",
        arguments: [
            ("http://h", "http://h"), ("http://h/", "http://h/"), ("http://h/v1?x=1", "http://h/v1/?x=1"),
            ("HTTPS://h/a%2Fb", "HTTPS://h/a%2Fb/"),
        ])
    func slash(base: String, expected: String) throws {
        #expect(try BaseURL(base).url.absoluteString == expected)
    }

    @Test(
        "what is no absolute HTTP URL is refused",
        arguments: ["", "example.com/v1", "ftp://h/", "http://", "http://exa mple/"])
    func refused(base: String) {
        #expect(throws: RequestError.self) { try BaseURL(base) }
    }

    @Test("a reference that leads elsewhere is refused", arguments: ["ftp://h/", "mailto:a@b", "a b", "http://[::1"])
    func refusedReference(reference: String) throws {
        let base = try BaseURL("http://h/")
        #expect(throws: RequestError.self) { try base.resolve(reference) }
    }
}

@Suite("An HTTP session")
struct SessionHTTPTests {
    let server: SocketServer
    let http: HTTPSession

    init() throws {
        // Answers with the request itself: its line, and its body where it has one.
        server = try SocketServer { connection in
            let request = connection.readRequest()
            var body: [UInt8] = []
            let length =
                request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
            var byte: UInt8 = 0
            while body.count < length, read(connection.descriptor, &byte, 1) == 1 { body.append(byte) }
            let line = request.prefix { $0 != "\r\n" }
            let path = line.split(separator: " ")[1]
            let status = path.hasPrefix("/api/teapot") ? 418 : 200
            let text =
                #"{"line":"\#(line)","body":"\#(String(decoding: body, as: UTF8.self))","#
                + #""agent":\#(request.contains("User-Agent: mine"))}"#
            connection.send(
                "HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(text.utf8.count)\r\n\r\n")
            if !line.hasPrefix("HEAD") { connection.send(text) }
        }
        let session = try Session(loop: EventLoop())
        http = HTTPSession(session: session, baseURL: try BaseURL("http://127.0.0.1:\(server.port)/api"))
    }

    struct Echo: Decodable, Equatable {
        var line: String
        var body: String
        var agent: Bool
    }

    let echo = DecodableResponseSerializer(Echo.self)

    @Test("GET and DELETE carry parameters in the query")
    func query() async throws {
        let got = try await http.get("items", parameters: ["b": 2, "a": "x y"], as: echo).value
        #expect(got?.line == "GET /api/items?a=x%20y&b=2 HTTP/1.1")
        let deleted = try await http.delete("items/1", parameters: ["a": 1], as: echo).value
        #expect(deleted?.line == "DELETE /api/items/1?a=1 HTTP/1.1")
    }

    @Test("POST, PUT and PATCH carry them in the body")
    func body() async throws {
        #expect(try await http.post("items", parameters: ["a": 1], as: echo).value?.body == "a=1")
        #expect(try await http.put("items", parameters: ["a": 1], as: echo).value?.line == "PUT /api/items HTTP/1.1")
        #expect(try await http.patch("items", parameters: ["a": 1], as: echo).value?.body == "a=1")
    }

    @Test("HEAD gives status and header")
    func head() async throws {
        let response = try await http.head("items")
        #expect(response.statusCode == 200)
        #expect(response.headers["Content-Type"] == "application/json")
    }

    @Test("headers given replace those of the serializer")
    func headers() async throws {
        #expect(try await http.get("items", headers: ["user-agent": "mine"], as: echo).value?.agent == false)
        #expect(try await http.get("items", headers: ["User-Agent": "mine"], as: echo).value?.agent == true)
    }

    @Test("a form of several parts is streamed, the parameters before it")
    func form() async throws {
        let value = try await http.post("items", parameters: ["a": 1], as: StringResponseSerializer()) {
            (form) throws(MultipartError) in
            try form.append(Data("content".utf8), name: "file", fileName: "f.txt", contentType: .octetStream)
        }.value
        let text = try #require(value)
        let first = try #require(text.range(of: #"name="a""#))
        let second = try #require(text.range(of: #"filename="f.txt""#))
        #expect(first.lowerBound < second.lowerBound)
    }

    @Test("a refused status is an error that carries the answer")
    func refused() async throws {
        let error = await #expect(throws: HTTPSessionError.self) { try await http.get("teapot", as: echo) }
        #expect(error?.response?.statusCode == 418)
        guard case .response(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try refusal.decodeBody(as: Echo.self).line == "GET /api/teapot HTTP/1.1")
    }

    @Test("a reference that is no URL fails before anything is sent")
    func invalid() async throws {
        let error = await #expect(throws: HTTPSessionError.self) { try await http.get("http://[::1", as: echo) }
        guard case .transfer(let failure) = error, case .invalidURL("http://[::1", _) = failure.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("progress is told while the body comes")
    func progress() async throws {
        let seen = Mutex<[Double?]>([])
        let handlers = ProgressHandlers { progress in seen.withLock { $0.append(progress.fraction) } }
        _ = try await http.post("items", parameters: ["a": 1], as: echo, progress: handlers)
        #expect(seen.withLock { $0.last } == 1)
    }

    @Test("a completion handler is called once, on its queue and inside its group")
    func completion() async throws {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "completion")
        queue.setSpecific(key: key, value: "mine")
        let group = DispatchGroup()
        let calls = Mutex<[String?]>([])
        http.task(.get, "items", as: echo, on: CompletionQueue(queue, group: group)) { result in
            #expect((try? result.get())?.value?.line == "GET /api/items HTTP/1.1")
            calls.withLock { $0.append(DispatchQueue.getSpecific(key: key)) }
        }
        http.task(.get, "http://[::1", as: echo, on: CompletionQueue(queue, group: group)) { result in
            #expect(throws: HTTPSessionError.self) { try result.get() }
            calls.withLock { $0.append(DispatchQueue.getSpecific(key: key)) }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: queue) { continuation.resume() }
        }
        #expect(calls.withLock { $0 } == ["mine", "mine"])
    }
}
