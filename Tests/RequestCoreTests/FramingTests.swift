import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("Where a body ends")
struct FramingTests {
    private let echo: EchoServer
    private let session: Session

    init() throws {
        echo = try EchoServer()
        session = try Session(loop: EventLoop())
    }

    private func request(
        _ headers: HeaderFields, _ body: RequestBody?, _ method: RequestMethod = .post
    ) throws -> Request {
        Request(
            url: try #require(URL(string: "http://127.0.0.1:\(echo.port)/")), method: method, headers: headers,
            body: body)
    }

    private static let text = RequestBody.data(Data("hello".utf8))
    private static let unknown = RequestBody.stream(length: nil) { Empty() }

    private struct Empty: BodyReader {
        mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { 0 }
    }

    @Test(
        "a caller's word on the length of another body is refused, and nothing is sent",
        arguments: [
            ("Content-Length", "4"), ("Content-Length", "6"), ("content-length", ""), ("Content-Length", "+5"),
            ("Content-Length", "5, 5"), ("Content-Length", "0x5"), ("Transfer-Encoding", "chunked"),
            ("transfer-encoding", "gzip, chunked"), ("Transfer-Encoding", "identity"),
        ])
    func refused(name: String, value: String) async throws {
        for body in [Self.text, Self.unknown, nil] {
            for method in [RequestMethod.post, .get] {
                let request = try request([name: value], body, method)
                let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
                let canonical = name.lowercased() == "content-length" ? "Content-Length" : "Transfer-Encoding"
                #expect(error.reason == .invalidMessage(.foreignFraming(name: canonical)))
            }
        }
        #expect(echo.takeRequests().isEmpty)
        // The session's own next request gets its own answer.
        #expect(try await session.response(for: request([:], Self.text)).body == Data("ok".utf8))
    }

    @Test("the session's fields are held against the body, too, and two lengths are one too many")
    func sessionFields() async throws {
        var configuration = SessionConfiguration()
        configuration.headers = ["Content-Length": "3"]
        let session = try Session(configuration: configuration, loop: EventLoop())
        await #expect(throws: RequestError.self) { try await session.response(for: request([:], Self.text)) }
        var twice = HeaderFields()
        twice.append("Content-Length", "5")
        twice.append("Content-Length", "5")
        await #expect(throws: RequestError.self) { try await self.session.response(for: request(twice, Self.text)) }
        #expect(echo.takeRequests().isEmpty)
    }

    @Test("the right length is sent once")
    func right() async throws {
        _ = try await session.response(for: request(["Content-Length": "5"], Self.text))
        _ = try await session.response(for: request(["Content-Length": "0"], nil))
        let sent = echo.takeRequests()
        #expect(sent.map { $0.components(separatedBy: "Content-Length: ").count } == [2, 2])
        #expect(sent.first?.hasSuffix("hello") == true)
    }
}

/// A body whose end is cut off.
@Suite("A body that is cut off")
struct TruncationTests {
    private func response(_ head: String, _ body: [UInt8]) async throws -> Response {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)\r\n")
            connection.send(body)
        }
        let session = try Session(loop: EventLoop())
        return try await session.response(
            for: Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/"))))
    }

    /// A text packed by a program of the host.
    private static func packed(_ content: some Sequence<UInt8>, _ command: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "text")
        let target = "\(file).packed"
        try Command.run(["sh", "-c", "\(command.joined(separator: " ")) <\(file) >\(target)"])
        return Array(try Data(contentsOf: URL(filePath: target)))
    }

    private static let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 3000)

    private static let codings = [
        ("gzip", ["gzip", "-c"]),
        ("x-gzip", ["gzip", "-c"]),
        (
            "deflate",
            ["python3", "-c", "'import sys,zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))'"]
        ),
        (
            "deflate",
            [
                "python3", "-c",
                "'import sys,zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read())[2:-4])'",
            ]
        ),
    ]

    @Test("is told where it is compressed, and whole where it is", arguments: codings)
    func compressed(coding: String, command: [String]) async throws {
        let packed = try Self.packed(Self.text.utf8, command)
        let whole = try await response("Content-Encoding: \(coding)\r\n", packed)
        #expect(whole.body == Data(Self.text.utf8))
        for count in [1, 2, 10, packed.count / 2, packed.count - 1] {
            let error = try await #require(throws: RequestError.self) {
                try await response("Content-Encoding: \(coding)\r\n", Array(packed.prefix(count)))
            }
            guard case .malformedContent = error.reason else {
                Issue.record("\(coding) \(count): \(error)")
                continue
            }
        }
    }

    @Test("half of a small gzip stream with its own length is an error, an empty body is not")
    func small() async throws {
        let packed = try Self.packed("hello".utf8, ["gzip", "-c"])
        let half = Array(packed.prefix(packed.count / 2))
        await #expect(throws: RequestError.self) {
            try await response("Content-Encoding: gzip\r\nContent-Length: \(half.count)\r\n", half)
        }
        #expect(try await response("Content-Encoding: gzip\r\n", []).body.isEmpty)
        #expect(try await response("Content-Encoding: gzip\r\nContent-Length: 0\r\n", []).body.isEmpty)
    }

    @Test("several members, and codings on one another, are unpacked; what is behind the end is not content")
    func several() async throws {
        let gzip = try Self.packed("hello".utf8, ["gzip", "-c"])
        #expect(try await response("Content-Encoding: gzip\r\n", gzip + gzip).body == Data("hellohello".utf8))
        #expect(try await response("Content-Encoding: gzip\r\n", gzip + [0, 0, 0]).body == Data("hello".utf8))
        let twice = try Self.packed(Self.packed(Self.text.utf8, ["gzip", "-c"]), ["gzip", "-c"])
        #expect(try await response("Content-Encoding: gzip, gzip\r\n", twice).body == Data(Self.text.utf8))
        for (field, body) in [
            ("gzip", gzip + Array("more".utf8)), ("gzip", Array(gzip.dropLast()) + [1]),
            ("gzip, gzip, gzip, gzip, gzip, gzip", gzip),
        ] {
            let error = try await #require(throws: RequestError.self) {
                try await response("Content-Encoding: \(field)\r\n", body)
            }
            guard case .malformedContent = error.reason else {
                Issue.record("\(field): \(error)")
                continue
            }
        }
        for coding in ["identity", "unheard-of"] {
            let whole = try await response("Content-Encoding: \(coding)\r\n", Array("hello".utf8))
            #expect(whole.body == Data("hello".utf8), "\(coding)")
        }
    }

    @Test("a streamed body that is compressed comes whole, however slowly it is read")
    func stream() async throws {
        let letters = (0..<2_000_000).map { (number: Int) -> UInt8 in
            let mixed: Int = (number &* 7) ^ (number >> 5)
            return UInt8(97 + mixed % 26)
        }
        let text = String(decoding: letters, as: UTF8.self)
        let packed = try Self.packed(text.utf8, ["gzip", "-1", "-c"])
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n")
            connection.send(packed)
        }
        let session = try Session(loop: EventLoop())
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let stream = try await session.stream(Request(url: url))
        var body = Data()
        for try await piece in stream.body {
            body += piece
            await Task.yield()
        }
        #expect(body == Data(text.utf8))
    }

    /// A server of TLS that sends half of an answer and ends the connection without a word (no close_notify).
    private static let cutter = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", int(sys.argv[3])))
        while True:
            plain, _ = listener.accept()
            try:
                secure = context.wrap_socket(plain, server_side=True)
                path = secure.recv(65536).split(b" ")[1]
                secure.sendall(b"HTTP/1.1 200 OK\\r\\n" + (b"Content-Length: 4\\r\\n" if path == b"/length" else b"")
                    + (b"Transfer-Encoding: chunked\\r\\n\\r\\n4\\r\\nhalf\\r\\n0\\r\\n\\r\\n" if path == b"/chunks"
                       else b"Connection: close\\r\\n\\r\\nhalf"))
                if path == b"/told":
                    secure.unwrap()
                secure.close() if path == b"/told" else socket.socket(fileno=secure.detach()).close()
            except Exception as error:
                print(error, file=sys.stderr)
        """

    @Test("is told where TLS says nothing of the end, and whole where the length or TLS says so")
    func tls() async throws {
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("server")
        let port = try FreePort.next()
        let server = try BackgroundProcess([
            "python3", "-c", Self.cutter, certificate.chainFile, certificate.keyFile, "\(port)",
        ])
        defer { withExtendedLifetime(server) {} }
        for _ in 0..<1000 {
            if try Command.run(["ss", "-Hltn", "sport = :\(port)"]).contains(":\(port)") { break }
        }
        let session = try Session(loop: EventLoop())
        func response(_ path: String) async throws -> Response {
            var request = Request(url: try #require(URL(string: "https://localhost:\(port)/\(path)")))
            request.securityPolicy = SecurityPolicy(anchors: .file(authority.rootFile))
            request.family = .ipv4
            return try await session.response(for: request)
        }
        let error = try await #require(throws: RequestError.self) { try await response("cut") }
        #expect(error.reason == .connectionLost(received: 4, nil))
        for path in ["told", "length", "chunks"] {
            #expect(try await response(path).body == Data("half".utf8))
        }
    }
}
