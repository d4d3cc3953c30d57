import EventLoop
import Foundation
import Glibc
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Multipart bodies on the wire")
struct MultipartUploadTests {
    @Test("a form arrives byte for byte, under the length that was told")
    func upload() async throws {
        let server = try SocketServer { connection in
            let (_, body) = connection.readMessage()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n")
            connection.send(body)
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(repeating: 7, count: 200_000), to: "seven.bin")
        let session = HTTPSession(
            session: try Session(loop: EventLoop()), baseURL: try BaseURL("http://127.0.0.1:\(server.port)"))
        let request = try session.request(.post, "/", parameters: ["a": [1, nil]]) { (form) throws(MultipartError) in
            try form.append(file: file, name: "file")
            try form.append(length: 100_000, name: "s", fileName: "s", contentType: .octetStream) { Zeros() }
        }
        guard case .multipart(let form) = request.body else {
            Issue.record()
            return
        }
        let answer = try await session.send(request, as: HTTPResponseSerializer())
        let content = try form.content()
        #expect(answer.response.body.count == content.count)
        #expect(answer.response.body == content)
    }

    @Test("after a 307 the same body is sent again, files and streams too")
    func replay() async throws {
        let server = try SocketServer { connection in
            let (header, body) = connection.readMessage()
            if header.hasPrefix("POST /first ") {
                connection.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /second\r\n")
                connection.send("Content-Length: 0\r\nConnection: close\r\n\r\n")
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n")
                connection.send(body)
            }
        }
        let folder = try TemporaryFolder()
        var form = MultipartFormData()
        try form.append(file: try folder.write(Data(repeating: 7, count: 100_000), to: "seven.bin"), name: "file")
        try form.append(length: 1000, name: "s", fileName: "s", contentType: .octetStream) { Zeros() }
        let session = try Session(configuration: .followingRedirects, loop: EventLoop())
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/first"))
        let response = try await session.response(for: try Request(url: url, method: .post).carrying(form))
        #expect(response.statusCode == 200)
        #expect(response.body == (try form.content()))
    }

    @Test("a throttled form takes its time")
    func throttle() async throws {
        let server = try SocketServer { connection in
            let (_, body) = connection.readMessage()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(body.count)")
        }
        var form = MultipartFormData()
        form.throttle = Throttle(bytesPerSecond: 100_000, burst: 10_000)
        try form.append(Data(count: 200_000), name: "data")
        let session = try Session(loop: EventLoop())
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let request = try Request(url: url, method: .post).carrying(form)
        let start = ContinuousClock.now
        let response = try await session.response(for: request)
        #expect(String(decoding: response.body, as: UTF8.self) == "\(try form.contentLength)")
        #expect(ContinuousClock.now - start > .seconds(1))
    }

    @Test("a stream that ends too soon fails the request and names its part")
    func shortStream() async throws {
        let server = try SocketServer { $0.waitForEnd() }
        let session = try Session(loop: EventLoop())
        var form = MultipartFormData()
        try form.append(length: 100_000, name: "s", fileName: "s", contentType: .json) { Zeros(limit: 10) }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let request = try Request(url: url, method: .post).carrying(form)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .invalidBody(.tooShort(part: "s", expected: 100_000, got: 10)))
    }
}

extension SocketServer.Connection {
    /// Reads a request with as much body as its header says.
    fileprivate func readMessage() -> (header: String, body: [UInt8]) {
        let header = readRequest()
        let length = header.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16) ?? ""
        return (header, read(count: Int(length) ?? 0))
    }

    /// Reads so many bytes, or up to the end.
    private func read(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            let got = Glibc.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
        return bytes
    }
}
