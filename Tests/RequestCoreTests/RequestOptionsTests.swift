import Foundation
import NetworkAddress
import RequestCore
import Testing

@Suite("The options of a request and of its session")
struct RequestOptionsTests {
    let request: Request
    let configuration: SessionConfiguration

    init() throws {
        request = Request(url: try #require(URL(string: "http://127.0.0.1/")))
        var configuration = SessionConfiguration()
        configuration.timeouts = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
        configuration.maximumBodySize = 4
        configuration.maximumHeaderSize = 5
        configuration.interface = .index(6)
        configuration.sourceAddress = IPAddress("127.0.0.1")
        configuration.family = .ipv4
        configuration.proxy = .environment
        configuration.unixSocket = "/7"
        configuration.httpVersion = .http1
        configuration.acceptsCompression = false
        self.configuration = configuration
    }

    @Test("what a request says nothing of is as its session has it, each option that a session can have")
    func sessionsOptions() {
        #expect(request.options.merged(over: configuration.options) == configuration.options)
    }

    @Test("what a request says goes before what its session says, and one time-out leaves the others as they are")
    func requestsOptions() {
        var request = request
        request.httpVersion = .http2
        request.acceptsCompression = true
        request.timeouts.idle = .seconds(8)
        var expected = configuration
        expected.httpVersion = .http2
        expected.acceptsCompression = true
        expected.timeouts.idle = .seconds(8)
        #expect(request.options.merged(over: configuration.options) == expected.options)
    }

    @Test(
        "a session that was told nothing has limits, speaks what TLS negotiates, and asks for compression, of the server itself"
    )
    func standard() {
        let standard = SessionConfiguration()
        #expect(standard.timeouts == Timeouts(connect: .seconds(30), idle: .seconds(60)))
        #expect(standard.maximumBodySize == 64 << 20)
        #expect(standard.maximumHeaderSize == 256 << 10)
        #expect(standard.httpVersion == .automatic)
        #expect(standard.proxy == .direct)
        #expect(standard.acceptsCompression)
        #expect(standard.interface == nil && standard.sourceAddress == nil && standard.family == nil)
    }
}
