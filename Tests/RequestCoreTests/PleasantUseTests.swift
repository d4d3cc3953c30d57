// What a program needs that only asks for something: no other import of this package's.
import RequestCore
import TestSupport
import Testing

@Suite("Asking, with as little as it takes", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct PleasantUseTests {
    struct User: Codable, Equatable, Sendable {
        let id: Int
        let name: String
    }

    let server: NginxServer
    let api: HTTPSession

    init() throws {
        server = try NginxServer(
            locations: #"""
                default_type application/json;
                location = /v1/users { return 200 '[{"id": 1, "name": "Ada"}]'; }
                location = /v1/users/1 { return 200 '{"id": 1, "name": "Ada"}'; }
                location = /v1/none { return 204; }
                location = /v1/blank { return 200 " "; }
                location = /v1/moved { return 302 /v1/users; }
                location = /v1/refused { return 404 '{"id": 0, "name": "no"}'; }
                location = /v1/echo { add_header X-Type $content_type; return 201 '{"id": 2, "name": "$request_method"}'; }
                """#,
            documents: ["file": Data("content".utf8)])
        api = try HTTPSession("http://127.0.0.1:\(server.port)/v1")
    }

    @Test("a session needs no loop")
    func session() async throws {
        let session = try Session()
        let response = try await session.response(
            for: Request(url: #require(URL(string: "http://127.0.0.1:\(server.port)/file"))))
        #expect(response.body == Data("content".utf8))
        #expect(try Session().loop === session.loop)
    }

    @Test("a value is asked for by its type, and is no optional")
    func typed() async throws {
        let users = try await api.get("users", as: [User].self)
        #expect(users == [User(id: 1, name: "Ada")])
        let user: User = try await api.get("users/1")
        #expect(user.name == "Ada")
        #expect(try await api.get("moved", as: [User].self) == users)
    }

    @Test(
        "an answer without content is an error, and nil where an optional is asked for", arguments: ["none", "blank"])
    func absent(path: String) async throws {
        let user = try await api.get(path, as: User?.self)
        #expect(user == nil)
        let error = await #expect(throws: HTTPSessionError.self) { try await api.get(path, as: User.self) }
        guard case .response(let cause)? = error, case .emptyBody = cause.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a refusal is an error that carries the answer")
    func refused() async throws {
        let error = await #expect(throws: HTTPSessionError.self) { try await api.get("refused", as: User.self) }
        #expect(error?.response?.statusCode == 404)
    }

    @Test("a value is sent by each method, and one comes back")
    func methods() async throws {
        let user = User(id: 3, name: "Grace")
        #expect(try await api.post("echo", body: user, as: User.self).name == "POST")
        #expect(try await api.put("echo", body: user, as: User.self).name == "PUT")
        #expect(try await api.patch("echo", body: user, as: User.self).name == "PATCH")
        #expect(try await api.delete("echo", as: User.self).name == "DELETE")
        #expect(try await api.post("echo", parameters: ["id": 1], as: User.self).id == 2)
    }

    @Test("the form with metadata stays")
    func metadata() async throws {
        let response = try await api.get("users", as: DecodableResponseSerializer([User].self))
        #expect(response.statusCode == 200)
        #expect(response.value?.count == 1)
    }

    @Test("a form is filled by a closure that may throw whatever it likes")
    func form() async throws {
        struct Full: Error {}
        let folder = try TemporaryFolder()
        let file = try folder.write([1, 2, 3], to: "a.bin").string
        let user: User = try await api.post("echo") { form in
            for number in 0..<3 { try form.append(Data("\(number)".utf8), name: "n") }
            try form.append(file: file, name: "file")
        }
        #expect(user.name == "POST")
        let error = await #expect(throws: HTTPSessionError.self) {
            let _: User = try await api.post("echo") { _ in throw Full() }
        }
        guard case .request(.form(let cause))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is Full)
    }

    @Test("a path is a text")
    func paths() async throws {
        let folder = try TemporaryFolder()
        let target = folder.path.appending("downloaded").string
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let answer = try await api.session.download(Download(Request(url: url), to: target))
        #expect(answer.path.string == target)
        var form = MultipartFormData()
        try form.append(Data("x".utf8), name: "n")
        try await form.write(to: "\(target).form")
    }

    @Test("what was measured reads as a sentence")
    func metrics() async throws {
        let response = try await api.get("users", as: HTTPResponseSerializer())
        let text = "\(response.metrics)"
        #expect(text.contains("ms: connect ") || text.contains("µs: connect "), "\(text)")
        #expect(
            text.contains(" bytes sent, ") && text.contains(" bytes received; HTTP/1.1; 127.0.0.1 port "), "\(text)")
        #expect(text.hasSuffix(" to 127.0.0.1 port \(server.port)"), "\(text)")
        var metrics = RequestMetrics()
        metrics.phases = [.resolve: .milliseconds(1250), .tls: .nanoseconds(20_100_000)]
        metrics.duration = .seconds(3)
        metrics.bytesSent = 1
        metrics.bytesReceived = 1_234_567
        metrics.failedPhase = .tls
        #expect(metrics.description == "3.0 s: resolve 1.2 s, tls 20.1 ms, failed in tls; 1 byte sent, 1.2 MB received")
    }

    @Test("many sessions share the one loop, and all are answered")
    func shared() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let codes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await Session().response(for: Request(url: url)).statusCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: 200, count: 20))
    }
}
