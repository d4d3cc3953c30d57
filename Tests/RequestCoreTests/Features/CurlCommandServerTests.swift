import EventLoop
import Foundation
import Glibc
import RequestCore
import SystemPackage
import TestSupport
import Testing

/// curl itself, given the command line, against what the session sends.
@Suite("A command line that is run", .enabled(if: access("/usr/bin/curl", X_OK) == 0, "needs curl"))
final class CurlCommandServerTests {
    private let session: Session
    private let folder: String
    private let server: SocketServer

    init() throws {
        session = try Session(loop: EventLoop())
        folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (requests, continuation) = AsyncStream.makeStream(of: String.self)
        self.requests = requests
        server = try SocketServer { connection in
            let header = connection.readRequest()
            continuation.yield(header + Self.body(connection, header))
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }

    private let requests: AsyncStream<String>

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func body(_ connection: SocketServer.Connection, _ header: String) -> String {
        let lines = header.lowercased().split(separator: "\r\n")
        let isChunked = lines.contains("transfer-encoding: chunked")
        let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(16)) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while isChunked ? !bytes.ends(with: Array("\r\n0\r\n\r\n".utf8)) : bytes.count < length ?? 0,
            read(connection.descriptor, &byte, 1) == 1
        { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the session sends and what curl sends, each without the fields that name the program and the boundary.
    private func exchange(_ request: Request) async throws -> (own: String, curl: String) {
        _ = try await session.response(for: request)
        try Command.run(["sh", "-c", "cd \(folder) && \(request.curlCommand)"])
        var found: [String] = []
        for await text in requests {
            found.append(text)
            if found.count == 2 { break }
        }
        return (normalized(found[0]), normalized(found[1]))
    }

    private func normalized(_ text: String) -> String {
        let parts = text.components(separatedBy: "boundary=")
        let boundary = parts.count > 1 ? parts[1].prefix { $0 != "\r\n" } : "none"
        let named = ["user-agent:", "accept:", "accept-encoding:", "content-length:"]
        let lines = text.replacingOccurrences(of: boundary, with: "B").components(separatedBy: "\r\n").filter { line in
            !named.contains { line.lowercased().hasPrefix($0) }
        }
        let end = lines.firstIndex(of: "") ?? 0
        return (lines[..<1] + lines[1..<end].sorted() + lines[end...]).joined(separator: "\n")
    }

    private func request(_ path: String = "/up") throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: .post)
    }

    @Test("a form of fields, files and text files is the same form, whatever the names hold")
    func form() async throws {
        let path = folder + #"/a "file"; x.txt"#
        try Data("content".utf8).write(to: URL(filePath: path))
        var form = MultipartFormData()
        try form.append(Data("it's; $HOME @here".utf8), name: "field")
        try form.append(Data("@/etc/passwd".utf8), name: "a \"name\"")
        try form.append(file: FilePath(path), name: "file")
        try form.append(file: FilePath(path), name: "renamed", fileName: "b,c\\.png", contentType: .octetStream)
        let marked = "a\"\u{301};type=text/html;b=\"\u{301}"
        try form.append(file: FilePath(path), name: "marked", fileName: marked, contentType: .octetStream)
        try form.append(
            Data("one;two\n".utf8), name: "memory", fileName: "m.json", contentType: MediaType("application", "json"))
        let (own, curl) = try await exchange(request().carrying(form))
        #expect(curl == own)
        #expect(own.contains("filename=\"b,c\\.png\""))
    }

    @Test("a stream among the parts comes from standard input")
    func stream() async throws {
        try Data("part".utf8).write(to: URL(filePath: folder + "/part"))
        var form = MultipartFormData()
        try form.append(Data("1".utf8), name: "field")
        try form.append(length: 4, name: "stream", fileName: "s", contentType: .octetStream) {
            Reader(Array("part".utf8))
        }
        let (own, curl) = try await exchange(request().carrying(form))
        // curl does not know the length of what comes, and sends it in chunks.
        #expect(own.contains("part\n--B--") && curl.contains("filename=\"s\"") && curl.contains("part"))
    }

    @Test("a part that no option of curl makes leaves the body to a file")
    func fallback() throws {
        var form = MultipartFormData()
        try form.append(Data("1".utf8), headers: ["Content-Disposition": "form-data; name=x", "X-Own": "1"])
        let line = try request().carrying(form).curlCommand.description
        #expect(line.hasPrefix("cat body | curl") && line.contains("--data-binary @-"))
        var bytes = MultipartFormData()
        try bytes.append(Data([0, 255]), name: "b")
        #expect(try request().carrying(bytes).curlCommand.description.hasPrefix("cat body | curl"))
    }

    @Test("files, bytes and streams are sent as the session sends them")
    func uploads() async throws {
        try Data("of the file".utf8).write(to: URL(filePath: folder + "/a file"))
        try Data("of a stream".utf8).write(to: URL(filePath: folder + "/body"))
        let bodies: [RequestBody] = [
            .file(path: folder + "/a file"), .data(Data("it's text".utf8)), .data(Data([65, 0, 66])),
            .stream(length: 11) { Reader(Array("of a stream".utf8)) },
        ]
        for body in bodies {
            for path in ["/up", "/"] {
                var request = try request(path)
                request.method = .put
                request.body = body
                let (own, curl) = try await exchange(request)
                #expect(curl == own)
            }
        }
    }

    private struct Reader: BodyReader {
        var rest: [UInt8]

        init(_ bytes: [UInt8]) { rest = bytes }

        mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, rest.count)
            buffer.copyBytes(from: rest.prefix(count))
            rest.removeFirst(count)
            return count
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
