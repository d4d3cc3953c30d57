import EventLoop
import Foundation
import Glibc
import RequestCore
import SystemPackage
import TestSupport
import Testing

/// A lighttpd that compresses as it is asked to.
struct CompressingServer {
    static var isInstalled: Bool {
        LighttpdServer.isInstalled && access("/usr/lib/lighttpd/mod_deflate.so", R_OK) == 0
    }

    let port: Int
    private let folder: TemporaryFolder
    private let process: BackgroundProcess

    init(_ content: Data) throws {
        port = try FreePort.next()
        folder = try TemporaryFolder()
        _ = try folder.write(content, to: "text.txt")
        let configuration = """
            server.modules = ("mod_deflate")
            server.document-root = "\(folder.path)"
            server.bind = "127.0.0.1"
            server.port = \(port)
            mimetype.assign = (".txt" => "text/plain")
            deflate.mimetypes = ("text/plain")
            deflate.allowed-encodings = ("br", "zstd", "gzip", "deflate")
            """
        let file = try folder.write(configuration.utf8, to: "conf")
        process = try BackgroundProcess(["/usr/sbin/lighttpd", "-D", "-f", file.string])
        try FreePort.waitForListener(port)
    }
}

@Suite("Codings that are not known")
struct UnknownCodingTests {
    @Test(
        "leave the body as it is",
        arguments: ["utf-8", "none", "aws-chunked", "compress", "gzip, frob", "", "identity"])
    func leftAsItIs(coding: String) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 2\r\n\r\nok")
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let response = try await Session(loop: EventLoop()).response(for: request)
        #expect(response.body == Data("ok".utf8))
        #expect(response.headers["Content-Encoding"] == coding)
    }

    @Test("end what is undone: those that were applied after it are")
    func undoneBefore() async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8vPBgBH3dx5AgAAAA=="))
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: frob, gzip\r\n")
            connection.send("Content-Length: \(gzip.count)\r\n\r\n")
            connection.send(Array(gzip))
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        #expect(try await Session(loop: EventLoop()).response(for: request).body == Data("ok".utf8))
    }
}

@Suite(
    "Codings of a real server",
    .enabled(if: CompressingServer.isInstalled, "lighttpd or its mod_deflate is not installed"))
struct SessionCodingTests {
    let content = Data(String(repeating: "All work and no play makes Jack a dull boy.\n", count: 2000).utf8)

    @Test(
        "each is undone, and the bytes on the wire are those of the coding",
        arguments: ["gzip", "deflate", "br", "zstd"])
    func coding(_ coding: String) async throws {
        let server = try CompressingServer(content)
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/text.txt")))
        request.headers = ["Accept-Encoding": coding]
        let response = try await Session(loop: EventLoop()).response(for: request)
        #expect(response.headers["Content-Encoding"] == coding)
        #expect(response.body == content)
        #expect(response.metrics.bytesReceived < content.count / 10)
        request.maximumBodySize = content.count - 1
        let error = await #expect(throws: RequestError.self) {
            try await Session(loop: EventLoop()).response(for: request)
        }
        #expect(error?.reason == .bodyTooLarge(limit: content.count - 1))
    }

    @Test("a body in chunks, compressed or not, comes whole", .enabled(if: NginxServer.isInstalled, "no nginx"))
    func chunked() async throws {
        let server = try NginxServer(
            locations: "location / { gzip on; gzip_types *; }", documents: ["text": content])
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/text")))
        let session = try Session(loop: EventLoop())
        // nginx does not know how long what it compresses will be.
        let chunked = try await session.response(for: request)
        #expect(chunked.headers["Transfer-Encoding"] == "chunked")
        #expect(chunked.headers["Content-Length"] == nil)
        #expect(chunked.body == content)
        request.acceptsCompression = false
        #expect(try await session.response(for: request).body == content)
    }
}

@Suite("The window of zstd", .enabled(if: access("/usr/bin/zstd", X_OK) == 0, "zstd is not installed"))
struct ZstdWindowTests {
    @Test(
        "is 8 MiB at most, so that no server has 128 MiB set aside for it (RFC 9659)",
        arguments: [(23, true), (24, false), (27, false)])
    func window(log: Int, isTaken: Bool) async throws {
        let folder = try TemporaryFolder()
        let content = [UInt8](repeating: 7, count: 100_000)
        let file = try folder.write(content, to: "content")
        // Of a length that is not known ahead, or the window would be no larger than that.
        try Command.run(["sh", "-c", "cat \(file) | zstd -q --long=\(log) -o \(file).zst"])
        let packed = Array(try Data(contentsOf: URL(filePath: "\(file).zst")))
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: \(packed.count)\r\n\r\n")
            connection.send(packed)
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let session = try Session(loop: EventLoop())
        guard !isTaken else {
            #expect(try await session.response(for: request).body == Data(content))
            return
        }
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        guard case .malformedContent? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
