import EventLoop
import Foundation
import Glibc
import NetworkAddress
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite(
    "A session on a host with two uplinks",
    .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"),
    .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SessionBindingTests {
    /// The host: `u1` is preferred, `u2` is the spare; both lead to the server at 192.0.2.9.
    let host: TestNamespace
    let network: TestNamespace
    let server: NginxServer
    let session: Session

    init() throws {
        host = try TestNamespace()
        network = try TestNamespace()
        try host.ip(
            """
            link add u1 type veth peer name n1 netns \(network.path)
            link add u2 type veth peer name n2 netns \(network.path)
            addr add 198.51.100.2/28 dev u1
            addr add 198.51.100.18/28 dev u2
            link set u1 up
            link set u2 up
            """)
        try network.ip(
            """
            addr add 192.0.2.9/32 dev lo
            addr add 198.51.100.1/28 dev n1
            addr add 198.51.100.17/28 dev n2
            link set n1 up
            link set n2 up
            """)
        try host.ip(
            """
            route add default via 198.51.100.1 dev u1 metric 10
            route add default via 198.51.100.17 dev u2 metric 20
            """)
        server = try NginxServer(in: network, port: 80, locations: "location / { return 200 $remote_addr; }")
        session = try Session(loop: EventLoop(networkNamespace: host.descriptor))
    }

    func request(_ change: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = Request(url: try #require(URL(string: "http://192.0.2.9/")))
        change(&request)
        return request
    }

    func index(of link: String) throws -> Int {
        let lines = try host.run("ip", "-o", "link").split(separator: "\n")
        guard let line = lines.first(where: { $0.contains(" \(link)@") || $0.contains(" \(link):") }),
            let index = line.split(separator: ":").first.flatMap({ Int($0) })
        else { throw MissingLink(text: "\(lines)") }
        return index
    }

    private struct MissingLink: Error {
        let text: String
    }

    @Test("without a binding the preferred uplink is taken")
    func unbound() async throws {
        #expect(try await session.response(for: request()).body == Data("198.51.100.2".utf8))
    }

    @Test("by name and by index, every packet leaves by the interface asked for")
    func bound() async throws {
        for binding in [InterfaceBinding.name("u2"), .index(try index(of: "u2"))] {
            let response = try await session.response(for: request { $0.interface = binding })
            #expect(response.body == Data("198.51.100.18".utf8))
            #expect(response.metrics.localAddress == IPAddress("198.51.100.18"))
        }
    }

    @Test("a kept connection of one binding does not serve another")
    func keptApart() async throws {
        for address in ["198.51.100.2", "198.51.100.18", "198.51.100.2"] {
            let interface = address == "198.51.100.2" ? "u1" : "u2"
            let response = try await session.response(for: request { $0.interface = .name(interface) })
            #expect(response.body == Data(address.utf8))
        }
        let again = try await session.response(for: request { $0.interface = .name("u2") })
        #expect(again.metrics.isConnectionReused)
    }

    @Test(
        "an interface that is not there fails the request before anything is sent",
        arguments: [InterfaceBinding.name("u9"), .index(4711), .name("a-name-that-is-too-long"), .name(""), .index(0)])
    func refused(binding: InterfaceBinding) async throws {
        let error = await #expect(throws: RequestError.self) {
            try await session.response(for: request { $0.interface = binding })
        }
        guard case .interfaceRefused(binding, _) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.failedPhase == .connect)
        #expect(server.accessLog.isEmpty)
    }

    @Test("a source address is sent from, and one that is not the host's fails the request")
    func sourceAddress() async throws {
        let mine = try #require(IPAddress("198.51.100.18"))
        let foreign = try #require(IPAddress("203.0.113.1"))
        let response = try await session.response(for: request { $0.sourceAddress = mine })
        #expect(response.metrics.localAddress == mine)
        let error = await #expect(throws: RequestError.self) {
            try await session.response(for: request { $0.sourceAddress = foreign })
        }
        #expect(error?.reason == .sourceAddressRefused(foreign, .addressNotAvailable))
    }

    @Test("a network that answers nothing: the connect time-out ends it, with the address that was tried")
    func blackHole() async throws {
        try network.ip("addr del 192.0.2.9/32 dev lo\nroute add blackhole 192.0.2.9")
        let error = await #expect(throws: RequestError.self) {
            try await session.response(for: request { $0.timeouts.connect = .milliseconds(200) })
        }
        #expect(error?.reason == .timedOut(.connect, after: .milliseconds(200)))
        #expect(error?.metrics.remoteAddress == IPAddress("192.0.2.9"))
    }

    @Test("a name nobody looks up is told as such")
    func unknownName() async throws {
        try host.ip("route flush default")
        let request = Request(url: try #require(URL(string: "http://name.example/")))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .resolve(host: "name.example"))
        #expect(error?.failedPhase == .resolve)
    }

    @Test("a look-up that hangs is ended by the time-out and holds nothing else up")
    func hangingLookUp() async throws {
        // Name servers are on a link that swallows everything.
        try host.ip(
            """
            link add hole type veth peer name void netns \(network.path)
            link set hole arp off up
            route add default dev hole metric 1
            """)
        try network.ip("link set void up")
        var request = Request(url: try #require(URL(string: "http://name.example/")))
        request.timeouts.connect = .milliseconds(200)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .timedOut(.resolve, after: .milliseconds(200)))
        #expect((error?.metrics.duration ?? .seconds(60)) < .seconds(4))

        request.timeouts.connect = .seconds(30)
        let task = Task { [request] in try await session.response(for: request) }
        let start = MonotonicTime.now
        await session.loop.turn()
        task.cancel()
        let cancelled = await #expect(throws: RequestError.self) { try await task.value }
        #expect(cancelled?.reason == .cancelled)
        // The look-up itself gives up after ten seconds (resolv.conf(5): two times five).
        #expect(start.duration(to: .now) < .seconds(9))
    }
}

extension EventLoop {
    /// Returns after the loop has run everything that waited.
    func turn() async {
        await withCheckedContinuation { continuation in
            schedule(after: .milliseconds(50)) { continuation.resume() }
        }
    }
}
