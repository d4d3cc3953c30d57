import EventLoop
import Foundation
import NetworkAddress
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

@Suite("How the connection of a probe ends")
struct ProbeClosingTests {
    @Test(
        "the server closes it, so that no port of this host's is held for a minute",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func ports() async throws {
        let server = try NginxServer(locations: "location / { return 204; }")
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        let target = try Target("http://127.0.0.1:\(server.port)/")
        for _ in 0..<20 {
            let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
            #expect(result.outcome == .success, "\(result)")
        }
        // Where the two ends close at once this one may be the first.
        #expect(try Self.heldPorts(to: server.port) < 10)
    }

    @Test("a target's own field goes before")
    func ownField() async throws {
        let server = try SocketServer { connection in
            let isKept = connection.readRequest().contains("Connection: keep-alive\r\n")
            connection.send("HTTP/1.1 \(isKept ? 204 : 500) X\r\nContent-Length: 0\r\n\r\n")
        }
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        var target = try Target("http://127.0.0.1:\(server.port)/")
        target.headers = ["connection": "keep-alive"]
        let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
        #expect(result.statusCode == 500, "the name keeps the spelling that was given")
        target.headers = ["Connection": "keep-alive"]
        let other = await prober.result(of: Probe(id: 2, target: target, timeout: .seconds(20)))
        #expect(other.statusCode == 204)
    }

    @Test("a connection that stood is one, were it reset before the look at it")
    func resetAfterwards() throws {
        let server = try SocketServer { $0.resetOnClose() }
        let loopback = try #require(IPAddress("127.0.0.1"))
        let socket = try ProbeSocket(connectingTo: loopback, port: UInt16(server.port), by: nil)
        var reset = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&reset, 1, 20_000) == 1)
        guard case .heard(nil) = TCPEnd(of: socket) else {
            Issue.record("it is taken for one that was refused")
            return
        }
    }

    /// Connections to a port of this host's that wait out their minute on the side that opened them (proc(5), `TCP_TIME_WAIT`).
    private static func heldPorts(to port: Int) throws -> Int {
        let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").dropFirst().count { line in
            let fields = line.split(separator: " ")
            return fields[2].hasSuffix(":" + String(format: "%04X", port)) && fields[3] == "06"
        }
    }
}
