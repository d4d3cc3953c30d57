import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server that keeps its connections and remembers every byte of every request.
final class EchoServer: Sendable {
    private let server: SocketServer

    init() throws {
        let received = Received()
        server = try SocketServer { $0.answerAll { text in received.requests.withLock { $0.append(text) } } }
        self.log = received
    }

    private final class Received: Sendable {
        let requests = Mutex<[String]>([])
    }

    private let log: Received

    var port: Int { server.port }

    /// The requests since this was last asked.
    func takeRequests() -> [String] {
        log.requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}

extension SocketServer.Connection {
    /// Answers each request with 200, after it has passed on the whole of it.
    fileprivate func answerAll(_ note: (String) -> Void) {
        while true {
            let head = readRequest()
            guard head.hasSuffix("\r\n\r\n") else { return }
            note(head + readBody(head))
            send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(head.hasPrefix("HEAD") ? "" : "ok")")
        }
    }

    private func readBody(_ head: String) -> String {
        var body = ""
        if head.lowercased().contains("transfer-encoding: chunked") {
            while !body.hasSuffix("0\r\n\r\n"), let byte = readByte() { body.append(byte) }
        } else if let field = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Content-Length: ") }) {
            for _ in 0..<(Int(field.dropFirst("Content-Length: ".count)) ?? 0) { body.append(readByte() ?? "?") }
        }
        return body
    }

    private func readByte() -> Character? {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? Character(Unicode.Scalar(byte)) : nil
    }
}
