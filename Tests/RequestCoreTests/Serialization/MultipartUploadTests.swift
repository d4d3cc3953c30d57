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
            let header = connection.readRequest()
            let length = header.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16) ?? ""
            let body = connection.read(count: Int(length) ?? 0)
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
        guard case .multipart(let form) = request.body else { return #expect(Bool(false)) }
        let answer = try await session.send(request, as: HTTPResponseSerializer())
        let content = try form.content()
        #expect(answer.response.body.count == content.count)
        #expect(answer.response.body == content)
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
    /// Reads so many bytes, or up to the end.
    fileprivate func read(count: Int) -> [UInt8] {
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
