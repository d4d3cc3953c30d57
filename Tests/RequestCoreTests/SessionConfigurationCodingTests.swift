import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("A session's configuration from a file")
struct SessionConfigurationCodingTests {
    private func decode(_ json: String) throws -> SessionConfiguration {
        try JSONDecoder().decode(SessionConfiguration.self, from: Data(json.utf8))
    }

    private func text(_ configuration: SessionConfiguration) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(configuration), as: UTF8.self)
    }

    @Test("what is not said is as in the default configuration")
    func defaults() throws {
        #expect(try text(decode("{}")) == text(.default))
        let configuration = try decode(#"{"timeouts": {"total": 12.5, "idle": null}}"#)
        #expect(configuration.timeouts == Timeouts(connect: .seconds(30), total: .milliseconds(12500)))
    }

    @Test("every member is read, and is written as it was read")
    func members() throws {
        let json = """
            {"acceptsCompression":false,"addresses":{"a.test":["192.0.2.1","2001:db8::1"]},"cachePolicy":"reload",\
            "cookies":{"file":"/cookies"},"family":"ipv4","headers":["X-A: 1","X-A: 2"],"httpVersion":"http2",\
            "interface":"eth0","maximumBodySize":10,"maximumConcurrentRequests":7,"maximumConnectionsPerHost":2,\
            "maximumHeaderSize":2000,"proxy":{"exceptions":["localhost"],"host":"p.test","kind":"socks5h",\
            "password":"w","port":1080,"user":"u"},"securityPolicies":{"hosts":{},"other":null},\
            "sourceAddress":"192.0.2.7","timeouts":{"connect":1,"idle":2,"total":3},"unixSocket":"/socket"}
            """
        let configuration = try decode(json)
        #expect(try text(configuration) == json)
        #expect(configuration.headers.values(of: "x-a") == ["1", "2"])
        #expect(configuration.addresses["a.test"]?.count == 2)
        #expect(configuration.interface == .name("eth0"))
        #expect(configuration.cookies == .file(path: "/cookies"))
        #expect(configuration.securityPolicies.other == nil)
        for word in [#""environment""#, #""direct""#] {
            #expect(try text(decode(#"{"proxy":\#(word)}"#)).contains(#""proxy":\#(word)"#))
        }
        #expect(try decode(#"{"interface": 3, "cookies": "memory"}"#).interface == .index(3))
    }

    @Test("a session made of one does as it says")
    func session() async throws {
        let server = try SocketServer { connection in
            let header = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(header.utf8.count)\r\n\r\n\(header)")
        }
        let configuration = try decode(
            #"{"addresses": {"a.test": ["127.0.0.1"]}, "headers": ["X-Mine: yes"], "maximumBodySize": 4000}"#)
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try #require(URL(string: "http://a.test:\(server.port)/"))
        let answer = String(decoding: try await session.response(for: Request(url: url)).body, as: UTF8.self)
        #expect(answer.contains("X-Mine: yes\r\n"))
    }

    @Test(
        "a mistake is an error that names it",
        arguments: [
            (#"{"timeout": {}}"#, "timeout"), (#"{"timeouts": {"conect": 1}}"#, "conect"),
            (#"{"timeouts": {"total": -1}}"#, "-1.0 is no time"), (#"{"timeouts": {"total": 1e99}}"#, "is no time"),
            (#"{"headers": ["colonless"]}"#, "colonless"), (#"{"headers": ["X Y: z"]}"#, "X Y"),
            (#"{"headers": ["X: a\r\nY: b"]}"#, "X"), (#"{"cookies": "disk"}"#, "disk"),
            (#"{"proxy": "http"}"#, "is no proxy"),
            (#"{"proxy": {"kind": "http", "host": "p", "port": 70000}}"#, "is no port"),
            (#"{"addresses": {"a": ["b"]}}"#, "addresses"), (#"{"httpVersion": "3"}"#, "httpVersion"),
        ])
    func mistakes(json: String, expected: String) {
        let error = #expect(throws: DecodingError.self) { try decode(json) }
        #expect(error.map { "\($0)".contains(expected) } == true, "\(String(describing: error))")
    }
}
