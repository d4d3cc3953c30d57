import EventLoop
import Foundation
import Glibc
import NetworkAddress
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("A session's configuration", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
final class SessionConfigurationTests {
    let server: NginxServer
    let socket: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.path + "/session-\(UUID().uuidString)"
        socket = base + ".socket"
        server = try NginxServer(
            locations: """
                location = /set { add_header Set-Cookie "name=value; Path=/; Max-Age=3600"; return 200 "$http_cookie"; }
                location = /get { return 200 "$http_cookie"; }
                location = /host { return 200 "$host"; }
                location = /text { gzip on; gzip_min_length 1; gzip_types *; }
                """,
            servers: "server { listen unix:\(socket); location / { return 200 \"$host by socket\"; } }",
            documents: ["text": Data(String(repeating: "hello", count: 200).utf8)])
    }

    func session(_ change: (inout SessionConfiguration) -> Void) throws -> Session {
        var configuration = SessionConfiguration.default
        change(&configuration)
        return try Session(configuration: configuration, loop: EventLoop())
    }

    func request(_ path: String, host: String = "127.0.0.1") throws -> Request {
        Request(url: try #require(URL(string: "http://\(host):\(server.port)\(path)")))
    }

    func text(_ session: Session, _ request: Request) async throws -> String {
        String(decoding: try await session.response(for: request).body, as: UTF8.self)
    }

    // MARK: Cookies

    @Test("without a jar no cookie is kept")
    func noCookies() async throws {
        let session = try session { _ in }
        _ = try await text(session, request("/set"))
        #expect(try await text(session, request("/get")) == "")
    }

    @Test("cookies are kept in memory and sent again, but not with a request that wants none")
    func cookies() async throws {
        let session = try session { $0.cookies = .memory }
        _ = try await text(session, request("/set"))
        #expect(try await text(session, request("/get")) == "name=value")
        var without = try request("/get")
        without.usesCookies = false
        #expect(try await text(session, without) == "")
        #expect(try await text(session, request("/get")) == "name=value")
        #expect(await session.cookies.count == 1)
        try await session.removeCookies()
        #expect(try await text(session, request("/get")) == "")
        let other = try self.session { $0.cookies = .memory }
        #expect(try await text(other, request("/get")) == "")
    }

    @Test("what a host set is sent to no other one, though a request named it in its field Host")
    func cookiesOfNamedHost() async throws {
        let hosts = ["home.test", "other.test"]
        let session = try session { configuration in
            configuration.cookies = .memory
            configuration.addresses = Dictionary(
                uniqueKeysWithValues: hosts.map { ($0, ["127.0.0.1"].compactMap(IPAddress.init)) })
        }
        _ = try await text(session, request("/set", host: "home.test"))
        var named = try request("/get")
        named.headers = ["Host": "home.test"]
        #expect(try await text(session, named) == "name=value")
        #expect(try await text(session, request("/get", host: "other.test")) == "")
        #expect(try await text(session, request("/get", host: "home.test")) == "name=value")
    }

    @Test("cookies in a file are there for the next session")
    func cookieFile() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/cookies-\(UUID().uuidString)"
        defer { unlink(path) }
        let first = try session { $0.cookies = .file(path: path) }
        _ = try await text(first, request("/set"))
        try await first.saveCookies()
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("name\tvalue"))
        let second = try session { $0.cookies = .file(path: path) }
        #expect(try await text(second, request("/get")) == "name=value")
    }

    @Test("a cookie file that cannot be read is told when the session is made")
    func unreadableCookies() throws {
        let error = #expect(throws: RequestError.self) { try session { $0.cookies = .file(path: "/proc") } }
        #expect(error?.reason == .cookieFile(path: "/proc", call: "read", .isDirectory))
    }

    // MARK: Where to

    @Test("the addresses of a host may be given for the whole session")
    func addresses() async throws {
        let session = try session { $0.addresses = ["given.invalid": ["127.0.0.1"].compactMap(IPAddress.init)] }
        #expect(try await text(session, request("/host", host: "GIVEN.invalid")) == "given.invalid")
    }

    @Test("a socket of this host stands in for every server")
    func unixSocket() async throws {
        let session = try session { [socket] in $0.unixSocket = socket }
        let url = try #require(URL(string: "http://anything.example/"))
        #expect(try await text(session, Request(url: url)) == "anything.example by socket")
    }

    // MARK: How

    @Test("a compressed transfer is asked for and undone, unless it is not wanted", arguments: [true, false])
    func compression(isWanted: Bool) async throws {
        let session = try session { $0.acceptsCompression = isWanted }
        let response = try await session.response(for: request("/text"))
        #expect(response.headers["Content-Encoding"] == (isWanted ? "gzip" : nil))
        #expect(response.body.count == 1000)
        #expect((response.metrics.bytesReceived < 700) == isWanted)
    }

    @Test("the number of connections to one host is held", arguments: [1, 3])
    func connections(limit: Int) async throws {
        let session = try session { $0.maximumConnectionsPerHost = limit }
        let request = try request("/host")
        let ports = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { try await session.response(for: request).metrics.localPort } }
            return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(ports.count <= limit)
    }
}

@Suite(
    "A session that goes through a proxy",
    .enabled(if: NginxServer.isInstalled && ProxyServer.areInstalled, "nginx, tinyproxy or microsocks is not installed")
)
struct SessionProxyTests {
    let server: NginxServer

    init() throws {
        server = try NginxServer(locations: "location / { return 200 \"$http_via|$host\"; }")
    }

    func response(through proxy: ProxyPolicy, host: String = "127.0.0.1") async throws -> Response {
        var configuration = SessionConfiguration.default
        configuration.proxy = proxy
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))
        return try await session.response(for: Request(url: url))
    }

    @Test("HTTP: the proxy forwards the request and says so")
    func http() async throws {
        let proxy = try ProxyServer(.http)
        let response = try await response(through: .proxy(Proxy(.http, host: "127.0.0.1", port: proxy.port)))
        #expect(String(decoding: response.body, as: UTF8.self).contains("tinyproxy"))
        #expect(response.metrics.remotePort == proxy.port)
    }

    @Test("a host among the exceptions is asked directly")
    func exceptions() async throws {
        var proxy = Proxy(.http, host: "127.0.0.1", port: try FreePort.next())
        proxy.exceptions = ["127.0.0.1"]
        #expect(try await response(through: .proxy(proxy)).body == Data("|127.0.0.1".utf8))
    }

    @Test("SOCKS 5, names looked up here or by the proxy", arguments: [Proxy.Kind.socks5, .socks5Hostname])
    func socks(kind: Proxy.Kind) async throws {
        let proxy = try ProxyServer(.socks5)
        let response = try await response(
            through: .proxy(Proxy(kind, host: "127.0.0.1", port: proxy.port)), host: "localhost")
        #expect(response.statusCode == 200)
        #expect(response.metrics.remotePort == proxy.port)
    }

    @Test("a proxy that wants a password gets it", arguments: [ProxyServer.Kind.http, .socks5])
    func password(kind: ProxyServer.Kind) async throws {
        let server = try ProxyServer(kind, user: "user", password: "secret")
        let kind = kind == .http ? Proxy.Kind.http : .socks5
        let right = Proxy(kind, host: "127.0.0.1", port: server.port, user: "user", password: "secret")
        #expect(try await response(through: .proxy(right)).statusCode == 200)
        let wrong = Proxy(kind, host: "127.0.0.1", port: server.port, user: "user", password: "wrong")
        if kind == .http {
            // RFC 9110 says 407; tinyproxy 1.11 says 401.
            #expect([401, 407].contains(try await response(through: .proxy(wrong)).statusCode))
        } else {
            let error = await #expect(throws: RequestError.self) { try await response(through: .proxy(wrong)) }
            guard case .proxy = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a proxy that is not there is told as such")
    func missing() async throws {
        let proxy = Proxy(.http, host: "127.0.0.1", port: try FreePort.next())
        let error = await #expect(throws: RequestError.self) { try await response(through: .proxy(proxy)) }
        guard case .proxy = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.failedPhase == .connect)
    }

    @Test("TLS goes through the proxy as it is, and the policy judges the server, not the proxy")
    func tunnel() async throws {
        let authority = try CertificateAuthority()
        let port = try FreePort.next()
        let server = try NginxServer(
            servers: SessionTLSTests.block(port, try authority.issue("server"), "location / { return 200 secure; }"))
        let proxy = try ProxyServer(.http)
        var configuration = SessionConfiguration.default
        configuration.proxy = .proxy(Proxy(.http, host: "127.0.0.1", port: proxy.port))
        configuration.securityPolicies.other = SecurityPolicy(anchors: .file(authority.rootFile))
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = Request(url: try #require(URL(string: "https://localhost:\(port)/")))
        #expect(try await session.response(for: request).body == Data("secure".utf8))
        #expect(proxy.log.contains("CONNECT localhost:\(port)"))
        configuration.securityPolicies.other = .default
        let strict = try Session(configuration: configuration, loop: EventLoop())
        let error = await #expect(throws: RequestError.self) { try await strict.response(for: request) }
        guard case .untrusted = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        withExtendedLifetime(server) {}
    }

    @Test("the environment's proxy is used where asked for, and nowhere else")
    func environment() async throws {
        // In a process of its own: every other test, and every program they start, would go through this proxy.
        await #expect(processExitsWith: .success) {
            let proxy = try ProxyServer(.http)
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let tests = try SessionProxyTests()
            #expect(try await tests.response(through: .environment).metrics.remotePort == proxy.port)
            #expect(try await tests.response(through: .direct).metrics.remotePort == tests.server.port)
        }
    }

    @Test("a connection that fails is the environment's proxy's only where that names one for the host")
    func environmentWithoutProxy() async throws {
        // In a process of its own, as above.
        await #expect(processExitsWith: .success) {
            let names = ["http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
            let port = try FreePort.next()
            let proxy = "http://127.0.0.1:\(try FreePort.next())"
            var configuration = SessionConfiguration.default
            configuration.proxy = .environment
            let session = try Session(configuration: configuration, loop: EventLoop())
            let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
            let cases: [(variables: [String: String], isProxys: Bool)] = [
                ([:], false), (["http_proxy": "", "all_proxy": ""], false), (["HTTP_PROXY": proxy], false),
                (["http_proxy": proxy], true), (["ALL_PROXY": proxy], true),
                (["http_proxy": proxy, "no_proxy": "localhost,127.0.0.0/8"], false),
                (["all_proxy": proxy, "NO_PROXY": "*"], false),
            ]
            for (variables, isProxys) in cases {
                for name in names + ["HTTP_PROXY"] { unsetenv(name) }
                for (name, value) in variables { setenv(name, value, 1) }
                let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
                switch error?.reason {
                case .proxy: #expect(isProxys, "\(variables)")
                case .connect(host: "127.0.0.1", port: port, .connectionRefused?):
                    #expect(!isProxys, "\(variables)")
                    #expect(error?.metrics.phases[.resolve] == nil)
                case let reason: Issue.record("\(variables): \(String(describing: reason))")
                }
            }
        }
    }
}
