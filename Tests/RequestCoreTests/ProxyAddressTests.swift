import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("A proxy whose addresses are told")
struct ProxyAddressTests {
    @Test("serves those who say the same of it, and no others")
    func apart() async throws {
        let proxy = try SocketServer { connection in
            while !connection.readRequest().isEmpty {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let session = try Session(loop: EventLoop())
        var request = Request(url: try #require(URL(string: "http://server.invalid/")))
        var way = Proxy(.http, host: "proxy.invalid", port: proxy.port)
        way.addresses = [try #require(IPAddress("127.0.0.1"))]
        request.proxy = .proxy(way)
        let first = try await session.response(for: request)
        #expect(try await session.response(for: request).metrics.localPort == first.metrics.localPort)
        // Nobody listens there.
        way.addresses = [try #require(IPAddress("127.0.0.77"))]
        request.proxy = .proxy(way)
        let elsewhere = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        guard case .proxy = elsewhere?.reason else {
            Issue.record("\(String(describing: elsewhere))")
            return
        }
        way.addresses = nil
        request.proxy = .proxy(way)
        await #expect(throws: RequestError.self) { try await session.response(for: request) }
        let direct = Request(url: try #require(URL(string: "http://proxy.invalid:\(proxy.port)/")))
        await #expect(throws: RequestError.self) { try await session.response(for: direct) }
    }
}
