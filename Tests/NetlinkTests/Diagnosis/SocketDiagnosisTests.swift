import EventLoop
import Glibc
import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite(
    "TCP sockets, as the kernel tells of them", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces"))
struct SocketDiagnosisTests {
    let client: TestNamespace
    let server: TestNamespace

    init() throws {
        client = try TestNamespace()
        server = try TestNamespace()
        try client.ip(
            """
            link add w0 type veth peer name p0
            link set p0 netns \(server.path)
            link set w0 up
            address add 192.0.2.10/24 dev w0
            address add 2001:db8::10/64 dev w0 nodad
            """)
        try server.ip(
            """
            link set p0 up
            address add 192.0.2.1/24 dev p0
            address add 2001:db8::1/64 dev p0 nodad
            """)
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test(
        "a connection is told with its ends, its owner and what it has heard", arguments: ["192.0.2.1", "2001:db8::1"])
    func connection(host: String) async throws {
        let listener = try await server.inside { try TestSocket(listeningAt: host) }
        let port = try listener.port
        let found = try await client.inside {
            let socket = try TestSocket(connectingTo: host, port: port)
            try socket.write(1000)
            var diagnosis = try DiagnosisSocket()
            let family = try #require(IPAddress(host)).family
            let deadline = MonotonicTime.now.advanced(by: .seconds(20))
            var seen = try diagnosis.sockets(family)
            // The answer to what was written takes its time.
            while seen.first?.info?.bytesAcknowledged ?? 0 < 1000, MonotonicTime.now < deadline {
                usleep(1000)
                seen = try diagnosis.sockets(family)
            }
            return withExtendedLifetime(socket) { seen }
        }
        let only = try #require(found.first)
        #expect(found.count == 1)
        #expect(only.state == .established)
        #expect(only.destination == (try address(host)))
        #expect(only.destinationPort == port)
        #expect(only.source == (try address(host.hasPrefix("192") ? "192.0.2.10" : "2001:db8::10")))
        #expect(only.sourcePort > 0)
        #expect(only.boundInterface == nil)
        #expect(only.userID == getuid())
        let info = try #require(only.info)
        #expect(info.bytesAcknowledged ?? 0 >= 1000)
        #expect(info.bytesReceived == 0)
        #expect(info.unacknowledged == 0)
        #expect(info.retransmits == 0)
        #expect(info.lastAcknowledgementReceived < 60_000)
    }

    @Test("connections of this host with itself are left out, and are there where they go by another address")
    func loopback() async throws {
        let found = try await client.inside {
            let listeners = try [TestSocket(listeningAt: "127.0.0.1"), TestSocket(listeningAt: "::1")]
            let own = try TestSocket(listeningAt: "192.0.2.10")
            let sockets = try [
                TestSocket(connectingTo: "127.0.0.1", port: listeners[0].port),
                TestSocket(connectingTo: "::1", port: listeners[1].port),
                // An IPv6 socket that speaks IPv4.
                TestSocket(connectingTo: "::ffff:127.0.0.1", port: listeners[0].port),
                TestSocket(connectingTo: "::ffff:192.0.2.10", port: own.port),
            ]
            var diagnosis = try DiagnosisSocket()
            let found = try (diagnosis.sockets(.ipv4), diagnosis.sockets(.ipv6))
            return withExtendedLifetime((listeners, own, sockets)) { found }
        }
        let own = try address("192.0.2.10")
        // The accepting end has not been taken by its program yet, and is a connection all the same.
        #expect(found.0.map(\.destination) == [own])
        #expect(found.1.map(\.destination) == [own])
        #expect(found.1.map(\.source) == [own])
    }

    @Test(
        "one that nobody answers is told with how often it has asked, also to a user without any privilege, and its device"
    )
    func unanswered() async throws {
        // The server is no router: it drops what is not for itself without a word.
        try client.ip("route add 203.0.113.0/24 via 192.0.2.1")
        let loop = try EventLoop(networkNamespace: client.descriptor)
        loop.dropPrivileges()
        let socket = try await client.inside {
            try TestSocket(connectingTo: "203.0.113.1", port: 9, boundTo: "w0", waits: false)
        }
        let found = try await UnprivilegedThread(loop: loop).run { () -> TCPSocketMessage? in
            #expect(geteuid() == 65534)
            var diagnosis = try DiagnosisSocket()
            let deadline = MonotonicTime.now.advanced(by: .seconds(30))
            while MonotonicTime.now < deadline {
                // At the moment of a retransmission no timer is set.
                if let found = try diagnosis.sockets(.ipv4).first, found.info?.retransmits ?? 0 > 0,
                    found.retransmissionDue != nil
                {
                    return found
                }
                usleep(10_000)
            }
            return nil
        }
        withExtendedLifetime(socket) {}
        let asked = try #require(found)
        #expect(asked.state == .synSent)
        #expect(asked.boundInterface != nil)
        #expect(asked.retransmissionDue != nil)
        #expect(asked.info?.unacknowledged == 1)
        #expect(asked.info?.retransmissionTimeout ?? 0 >= 1_000_000)
    }

    @Test("thousands are counted, and none is kept")
    func many() async throws {
        let count = 1000
        let listener = try await server.inside { try TestSocket(listeningAt: "192.0.2.1") }
        let port = try listener.port
        let counted = try await client.inside {
            let sockets = try (0..<count).map { _ in try TestSocket(connectingTo: "192.0.2.1", port: port) }
            var diagnosis = try DiagnosisSocket()
            let counted = try diagnosis.foldTCPSockets(.ipv4, into: 0) { sum, _ in sum += 1 }
            return withExtendedLifetime(sockets) { counted }
        }
        #expect(counted == count)
    }
}

extension DiagnosisSocket {
    fileprivate mutating func sockets(_ family: AddressFamily) throws -> [TCPSocketMessage] {
        try foldTCPSockets(family, into: []) { $0.append($1) }
    }
}

private actor UnprivilegedThread {
    private let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result { try body() }
}
