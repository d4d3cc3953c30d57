import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("What is sent")
struct SentMessageTests {
    private let server: EchoServer

    init() throws {
        server = try EchoServer()
    }

    private func request(_ change: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/a/b")))
        change(&request)
        return request
    }

    private func sent(_ change: (inout Request) -> Void) async throws -> String {
        let session = try Session(loop: EventLoop())
        _ = try await session.response(for: request(change))
        return try #require(server.takeRequests().first)
    }

    // MARK: Fields

    @Test("a value of blanks alone is sent as an empty one", arguments: ["", " ", "\t "])
    func blanks(value: String) async throws {
        let text = try await sent { $0.headers = HeaderFields([.init(name: "X-Key", value: value)]) }
        #expect(text.contains("\r\nX-Key:\r\n"))
    }

    // MARK: Bodies

    @Test("a HEAD request is not sent without the body it was given")
    func bodyOfHead() async throws {
        let session = try Session(loop: EventLoop())
        _ = try await session.response(for: request { $0.method = .head })
        let request = try request {
            $0.method = .head
            $0.body = .data(Data("important".utf8))
        }
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .invalidMessage(.unsendableBody(.head)))
        #expect(server.takeRequests().count == 1)
    }

    @Test(
        "a file of the kernel's, which has no length, is sent to its end",
        arguments: [("/proc/self/status", "VmRSS"), ("/sys/class/net/lo/mtu", "65536\n")])
    func fileWithoutLength(path: String, content: String) async throws {
        let text = try await sent {
            $0.method = .put
            $0.body = .file(path: path)
        }
        #expect(text.contains("Transfer-Encoding: chunked") && text.contains(content) && text.hasSuffix("0\r\n\r\n"))
    }

    @Test("a header that is longer than can be sent is told so")
    func longHeader() async throws {
        let session = try Session(loop: EventLoop())
        let request = try request { $0.headers["X-Long"] = String(repeating: "x", count: 2 << 20) }
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
        guard case .setup(let problem) = error.reason else {
            Issue.record(error)
            return
        }
        #expect(problem.contains("the header of the request"))
    }

    @Test("an empty file is an empty body")
    func emptyFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(), to: "empty")
        let text = try await sent {
            $0.method = .put
            $0.body = .file(path: "\(path)")
        }
        #expect(text.contains("Content-Length: 0"))
    }

    // MARK: Cookies

    @Test("cookies of the caller and of the session go in one field, and the caller's before those of the same name")
    func cookies() async throws {
        let server = try SocketServer { connection in
            while true {
                let request = connection.readRequest()
                guard !request.isEmpty else { return }
                let lines = request.split(separator: "\r\n").filter { $0.hasPrefix("Cookie:") }
                let fields = lines.joined(separator: "|")
                connection.send(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=jar; Path=/\r\nSet-Cookie: b=jar; Path=/\r\n"
                        + (request.hasPrefix("GET /more") ? "Set-Cookie: c=new; Path=/\r\n" : "")
                        + (request.hasPrefix("GET /less") ? "Set-Cookie: b=; Path=/; Max-Age=0\r\n" : "")
                        + "Content-Length: \(fields.utf8.count)\r\n\r\n\(fields)")
            }
        }
        var configuration = SessionConfiguration()
        configuration.cookies = .memory
        let session = try Session(configuration: configuration, loop: EventLoop())
        func fields(_ path: String, _ own: String?) async throws -> Set<String> {
            var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
            request.headers["Cookie"] = own
            let text = String(decoding: try await session.response(for: request).body, as: UTF8.self)
            #expect(text.components(separatedBy: "Cookie:").count <= 2)
            return Set(text.dropFirst("Cookie: ".count).split(separator: "; ").map(String.init))
        }
        #expect(try await fields("/", "mine=1") == ["mine=1"])
        #expect(try await fields("/", "mine=1") == ["a=jar", "b=jar", "mine=1"])
        #expect(try await fields("/more", "a=mine") == ["a=mine", "b=jar"])
        #expect(try await fields("/", nil) == ["a=jar", "b=jar", "c=new"])
        #expect(try await fields("/less", "a=mine; c=mine") == ["a=mine", "b=jar", "c=mine"])
        #expect(try await fields("/", nil) == ["a=jar", "c=new"])
    }

    // MARK: Descriptions

    @Test("the text of a request tells no secret")
    func description() throws {
        let request = Request(
            url: try #require(URL(string: "http://me:secret@a.test/b")), method: .post,
            headers: ["Authorization": "Bearer secret", "X-Api-Key": "secret", "Accept": "text/plain"],
            body: .data(Data("secret".utf8)))
        var other = request
        other.credential = .basic(user: "me", password: "secret")
        other.proxy = .proxy(Proxy(.http, host: "p", port: 1, user: "me", password: "secret"))
        for request in [request, other] {
            var dumped = ""
            dump(request, to: &dumped)
            for text in ["\(request)", String(reflecting: request), "\([request])", dumped] {
                #expect(!text.contains("secret"), "\(text)")
                #expect(text.contains("a.test/b"), "\(text)")
            }
            #expect("\(request)".hasPrefix("POST http://<redacted>@a.test/b\nAuthorization: <redacted>\n"))
        }
    }
}
