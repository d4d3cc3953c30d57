import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("What errors say")
struct ErrorTextTests {
    private let server: SocketServer
    private let session: Session

    init() throws {
        server = try SocketServer { connection in
            let request = connection.readRequest()
            let status = request.hasPrefix("GET /loop ") ? "302 Found\r\nLocation: loop" : "500 X"
            connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        session = try Session(configuration: .followingRedirects, loop: EventLoop())
    }

    private func url(_ path: String, port: Int? = nil) throws -> URL {
        try #require(URL(string: "http://me:secret@127.0.0.1:\(port ?? server.port)\(path)"))
    }

    @Test("no error tells the password of a URL")
    func passwords() async throws {
        var pinned = Request(url: try url("/"))
        pinned.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
        for request in [Request(url: try url("/loop")), Request(url: try url("/", port: 99_999)), pinned] {
            let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
            #expect("\(error)".contains("//<redacted>@127.0.0.1:"), "\(error)")
            #expect(!"\(error) \(error.localizedDescription)".contains("secret"))
        }
        let api = HTTPSession(session: session)
        let refusal = try await #require(throws: HTTPSessionError.self) {
            try await api.get(url("/").absoluteString, as: StringResponseSerializer())
        }
        #expect("\(refusal)".contains("http://<redacted>@127.0.0.1:\(server.port)/ answered 500"))
        let unreadable = try #require(throws: RequestSerializationError.self) {
            try HTTPRequestSerializer().request(.get, "http://me:secret@127.0.0.1:99999/")
        }
        #expect("\(unreadable)".contains("<redacted>@") && !"\(unreadable)".contains("secret"))
    }
}
