import Foundation
import Glibc
import Synchronization
import TestSupport

/// An HTTP server of a test's own on loopback that takes what is posted and answers as it is told to.
final class Receiver: Sendable {
    struct Post: Sendable {
        let header: String
        let body: String

        /// The value of a field.
        subscript(name: String) -> String? {
            header.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// How it answers one request.
    enum Answer: Sendable {
        case status(Int, fields: String = "")
        /// 204, after a while.
        case late(milliseconds: UInt32)
        /// No answer, until the peer goes.
        case silence
        /// 200, and a body that goes on until the peer goes.
        case endless
    }

    private struct State {
        var posts: [Post] = []
        var answers: [Answer]
    }

    private let inner: Inner
    private let server: SocketServer

    /// - Parameter answers: For the first requests; all others get 204.
    init(_ answers: [Answer] = []) throws {
        let inner = Inner(answers)
        self.inner = inner
        server = try SocketServer { connection in inner.serve(connection) }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
    var posts: [Post] { inner.state.withLock { $0.posts } }

    private final class Inner: Sendable {
        let state: Mutex<State>

        init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

        func serve(_ connection: SocketServer.Connection) {
            while true {
                let header = connection.readRequest()
                guard !header.isEmpty else { return }
                let post = Post(header: header, body: "")
                let length = post["Content-Length"].flatMap { Int($0) } ?? 0
                var body: [UInt8] = []
                var byte: UInt8 = 0
                while body.count < length, read(connection.descriptor, &byte, 1) == 1 { body.append(byte) }
                let answer = state.withLock { state in
                    state.posts.append(Post(header: header, body: String(decoding: body, as: UTF8.self)))
                    return state.answers.isEmpty ? Answer.status(204) : state.answers.removeFirst()
                }
                switch answer {
                case .status(204, _): connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                case .late(let milliseconds):
                    usleep(milliseconds * 1000)
                    connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                case .status(let code, let fields):
                    connection.send("HTTP/1.1 \(code) X\r\nContent-Length: 2\r\n\(fields)\r\n{}")
                case .silence:
                    connection.waitForEnd()
                    return
                case .endless:
                    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
                    while connection.send([UInt8](repeating: 0x78, count: 1000)) { usleep(1000) }
                    return
                }
            }
        }
    }
}
