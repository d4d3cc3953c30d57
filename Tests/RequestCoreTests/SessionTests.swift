import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("A session", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SessionTests {
    let server: NginxServer
    let session: Session

    init() throws {
        server = try NginxServer(
            locations: """
                location = /empty { return 204; }
                location = /moved { return 302 /text; }
                location = /headers { add_header X-Twice one; add_header X-Twice two; return 200 ok; }
                location = /agent { return 200 "$http_user_agent|$http_x_mine"; }
                location = /slow { limit_rate 1k; }
                """,
            documents: ["text": Data("hello".utf8), "slow": Data(repeating: 120, count: 1 << 20)])
        session = try Session(loop: EventLoop())
    }

    func request(_ path: String, method: RequestMethod = .get) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: method)
    }

    @Test("GET gives status, header and body")
    func get() async throws {
        let response = try await session.response(for: request("/text"))
        #expect(response.statusCode == 200)
        #expect(response.httpVersion == .http1_1)
        #expect(response.headers["content-length"] == "5")
        #expect(response.body == Data("hello".utf8))
    }

    @Test("HEAD gives the header alone")
    func head() async throws {
        let response = try await session.response(for: request("/text", method: .head))
        #expect(response.statusCode == 200)
        #expect(response.headers["Content-Length"] == "5")
        #expect(response.body.isEmpty)
    }

    @Test("an error status is an answer", arguments: [("/empty", 204), ("/missing", 404), ("/moved", 302)])
    func status(path: String, code: Int) async throws {
        #expect(try await session.response(for: request(path)).statusCode == code)
    }

    @Test("header fields of one name stay apart")
    func headers() async throws {
        let response = try await session.response(for: request("/headers"))
        #expect(response.headers.values(of: "x-twice") == ["one", "two"])
    }

    @Test("a request's header fields are laid over the session's")
    func requestHeaders() async throws {
        var configuration = SessionConfiguration.default
        configuration.headers = ["User-Agent": "session", "X-Mine": "session"]
        let session = try Session(configuration: configuration, loop: EventLoop())
        var request = try request("/agent")
        request.headers = ["x-mine": "request"]
        #expect(try await session.response(for: request).body == Data("session|request".utf8))
    }

    @Test("the second request goes over the first one's connection, and its metrics say so")
    func reuse() async throws {
        let first = try await session.response(for: request("/text")).metrics
        let second = try await session.response(for: request("/text")).metrics
        #expect(!first.isConnectionReused)
        #expect(Set(first.phases.keys) == [.connect, .processing, .transfer])
        #expect(second.isConnectionReused)
        #expect(Set(second.phases.keys) == [.processing, .transfer])
        #expect(second.localPort == first.localPort)
        #expect(first.remoteAddress == IPAddress("127.0.0.1"))
        #expect(first.remotePort == server.port)
    }

    @Test("a fresh connection is neither taken from the kept ones nor kept")
    func freshConnection() async throws {
        var fresh = try request("/text")
        fresh.usesFreshConnection = true
        let ports = [
            try await session.response(for: request("/text")).metrics.localPort,
            try await session.response(for: fresh).metrics.localPort,
            try await session.response(for: request("/text")).metrics.localPort,
        ]
        #expect(ports[0] == ports[2])
        #expect(ports[0] != ports[1])
    }

    @Test("many requests at once are all answered over no more connections than allowed")
    func concurrency() async throws {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<200 {
                group.addTask { try await session.response(for: request("/text")).metrics.localPort }
            }
            var ports: Set<Int?> = []
            for try await port in group { ports.insert(port) }
            #expect((1...6).contains(ports.count))
        }
    }

    @Test("addresses that are given are used, in their order of preference, and no name is looked up")
    func addresses() async throws {
        var request = Request(url: try #require(URL(string: "http://nowhere.invalid:\(server.port)/text")))
        request.addresses = ["127.0.0.1"].compactMap(IPAddress.init)
        let metrics = try await session.response(for: request).metrics
        #expect(metrics.remoteAddress == IPAddress("127.0.0.1"))
        #expect(metrics.phases[.resolve] == nil)
        request.addresses = ["::1", "127.0.0.1"].compactMap(IPAddress.init)
        #expect(try await session.response(for: request).metrics.remoteAddress == IPAddress("::1"))
        request.addresses = ["127.0.0.2"].compactMap(IPAddress.init)
        #expect(try await session.response(for: request).metrics.remoteAddress == IPAddress("127.0.0.2"))
        // More than make a name that libcurl would take.
        for count in [7, 28, 200] {
            request.addresses = (1...count).compactMap { IPAddress("127.0.1.\($0)") } + [.v6(.init(rawValue: 1))]
            let used = try await session.response(for: request).metrics.remoteAddress
            #expect(used == IPAddress("127.0.1.1"), "\(count)")
        }
    }

    @Test("one family alone is used", arguments: [(AddressFamily.ipv4, "127.0.0.1"), (.ipv6, "::1")])
    func family(_ family: AddressFamily, _ address: String) async throws {
        var request = Request(url: try #require(URL(string: "http://localhost:\(server.port)/text")))
        request.family = family
        #expect(try await session.response(for: request).metrics.remoteAddress == IPAddress(address))
        request.addresses = ["192.0.2.1", "2001:db8::1", "127.0.0.1", "::1"].compactMap(IPAddress.init)
            .filter { $0.isLoopback }
        #expect(try await session.response(for: request).metrics.remoteAddress == IPAddress(address))
    }
}
