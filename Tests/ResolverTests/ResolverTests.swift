import EventLoop
import Glibc
import NetworkAddress
import TestSupport
import Testing

@testable import Resolver

/// Against a real dnsmasq in a namespace of the test's own.
@Suite("Names are looked up", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct ResolverTests {
    private let server: NameServerFixture

    init() async throws {
        server = try await NameServerFixture()
    }

    @Test("addresses of both families, IPv6 first")
    func addresses() async throws {
        let found = try await server.resolver().addresses(of: "both.test")
        #expect(found.map(\.description) == ["2001:db8::7", "192.0.2.7"])
    }

    @Test("addresses of one family only", arguments: [(AddressFamily.ipv4, "192.0.2.7"), (.ipv6, "2001:db8::7")])
    func oneFamily(family: AddressFamily, expected: String) async throws {
        let found = try await server.resolver().addresses(of: "both.test", family: family)
        #expect(found.map(\.description) == [expected])
    }

    @Test("an address is its own name, and no query is sent")
    func literal() async throws {
        let resolver = Resolver(
            configuration: ResolverConfiguration(servers: [NameServer(.v4(IPv4Address(rawValue: 0x7F00_0001)), port: 1)]
            ),
            loop: server.loop)
        #expect(try await resolver.addresses(of: "192.0.2.9").map(\.description) == ["192.0.2.9"])
    }

    @Test(
        "records are read whole",
        arguments: [
            (RecordType.txt, "text.test", "\"first second\""), (.mx, "mail.test", "10 mx.mail.test"),
            (.srv, "_http._tcp.test", "5 7 8080 web.test"), (.ptr, "7.2.0.192.in-addr.arpa", "both.test"),
            (.caa, "caa.test", "0 issue \"ca.test\""),
        ])
    func records(type: RecordType, name: String, expected: String) async throws {
        #expect(try await server.resolver().records(of: name, type).map(\.description) == [expected])
    }

    @Test("a name that does not exist is told apart from one without such a record")
    func absence() async throws {
        let resolver = server.resolver()
        await #expect(throws: ResolverError.nameNotFound("nothing.test")) {
            try await resolver.records(of: "nothing.test", .a)
        }
        await #expect(throws: ResolverError.noRecords("v4.test", .aaaa)) {
            try await resolver.records(of: "v4.test", .aaaa)
        }
    }

    @Test("the lack of one family is no error while the other has an address")
    func singleFamily() async throws {
        #expect(try await server.resolver().addresses(of: "v4.test").map(\.description) == ["192.0.2.4"])
    }

    @Test("a server that refuses is named so")
    func refused() async throws {
        do {
            _ = try await server.resolver().records(of: "elsewhere.example", .a)
            Issue.record("the query was answered")
        } catch {
            guard case .serverFailed("elsewhere.example", _) = error else { throw error }
        }
    }

    @Test(
        "a name that cannot be one is refused before anything is sent",
        arguments: ["a..test", String(repeating: "x", count: 70) + ".test"])
    func invalidName(name: String) async throws {
        await #expect(throws: ResolverError.invalidName(name)) {
            try await server.resolver().records(of: name, .a)
        }
    }

    @Test("a server that never answers ends in a time-out that says how long it took")
    func silence() async throws {
        let resolver = server.resolver(address: "127.0.0.2", port: 5354, timeout: .milliseconds(300))
        do {
            _ = try await resolver.records(of: "both.test", .a)
            Issue.record("the query was answered")
        } catch {
            guard case .timedOut("both.test", let time) = error else { throw error }
            #expect(time >= .milliseconds(100))
        }
    }

    @Test("cancelling the task ends the look-up at once")
    func cancellation() async throws {
        let resolver = server.resolver(address: "127.0.0.2", port: 5354, timeout: .seconds(30))
        let start = MonotonicTime.now
        let task = Task { try await resolver.records(of: "both.test", .a) }
        try await server.loop.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: ResolverError.cancelled) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test("a resolver that is let go with questions unanswered leaves no watch behind")
    func letGo() async throws {
        let before = server.loop.watchCount
        for _ in 0..<20 {
            let resolver = server.resolver(address: "127.0.0.2", port: 5354, timeout: .milliseconds(5))
            _ = try? await resolver.records(of: "both.test", .a)
        }
        let end = MonotonicTime.now.advanced(by: .seconds(10))
        while server.loop.watchCount > before, MonotonicTime.now < end {
            try await server.loop.sleep(for: .milliseconds(5))
        }
        #expect(server.loop.watchCount <= before)
    }

    @Test("a refusal that the next question by the same socket is told is the server's own word, and is told once")
    func refusedBefore() async throws {
        let (word, isQuiet) = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(ServerWord?, Bool), any Error>) in
            server.loop.schedule(after: .zero) {
                continuation.resume(with: Result { try Self.askClosedPort() })
            }
        }
        #expect(word == .heard)
        #expect(isQuiet, "the error queue is empty")
    }

    /// Sends datagrams by one socket to a port that nobody listens at, and lets a channel know how the second one fails.
    ///
    /// - Returns: What the channel takes that for, and whether the socket tells of no error in the end.
    private static func askClosedPort() throws -> (ServerWord?, Bool) {
        let channel = try AresChannel(ResolverConfiguration()) { _, _, _ in }
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        QuerySockets.wantErrors(descriptor, AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(5355).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.3")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        func ask() -> Int {
            let question: [UInt8] = [0]
            return send(descriptor, question, question.count, 0)
        }
        func hasError(within milliseconds: CInt) -> Bool {
            var query = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&query, 1, milliseconds) == 1
        }
        try #require(ask() == 1)
        try #require(hasError(within: 5000))
        let context = Unmanaged.passUnretained(channel).toOpaque()
        let sent = QuerySockets.noting(context, .send, descriptor) { ask() }
        let word = sent < 0 ? channel.failure : nil
        // The next one leaves again, and is refused, too.
        try #require(ask() == 1)
        try #require(hasError(within: 5000))
        QuerySockets.dropErrors(of: descriptor)
        return (word, !hasError(within: 0))
    }

    @Test("a hundred look-ups side by side are all answered")
    func concurrency() async throws {
        let resolver = server.resolver()
        try await withThrowingTaskGroup(of: [IPAddress].self) { group in
            for _ in 0..<100 { group.addTask { try await resolver.addresses(of: "both.test") } }
            for try await found in group { #expect(found.count == 2) }
        }
    }

    @Test("all questions that are under way to a server without EDNS are asked again without it")
    func withoutEDNS() async throws {
        let old = try server.start(Self.serverWithoutEDNS)
        let resolver = server.resolver(address: "127.0.0.4")
        try await withThrowingTaskGroup(of: [IPAddress].self) { group in
            for number in 0..<10 { group.addTask { try await resolver.addresses(of: "name\(number).test") } }
            for try await found in group { #expect(found.map(\.description) == ["2001:db8::7"]) }
        }
        withExtendedLifetime(old) {}
    }

    /// Says of questions with EDNS that it cannot read them (FORMERR), once it has twenty, and of all others that the
    /// name has an IPv6 address and no other.
    private static let serverWithoutEDNS = """
        import socket
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("127.0.0.4", 5353))
        print("ready")
        held = {}
        while True:
            query, client = server.recvfrom(512)
            question = query[12:query.index(0, 12) + 5]
            if query[11]:
                held[question] = (query[:2], client)
                if len(held) < 20: continue
                for asked, (number, client) in held.items():
                    server.sendto(number + bytes([0x81, 0x81, 0, 1]) + bytes(6) + asked, client)
                continue
            record = b""
            if question[-3] == 28:
                address = socket.inet_pton(socket.AF_INET6, "2001:db8::7")
                record = bytes([0xC0, 12, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16]) + address
            head = query[:2] + bytes([0x81, 0x80, 0, 1, 0, 1 if record else 0]) + bytes(4)
            server.sendto(head + question + record, client)
        """

    @Test("a resolver that is bound asks through its interface")
    func bound() async throws {
        let resolver = server.resolver(interface: "lo")
        #expect(try await resolver.addresses(of: "v4.test").map(\.description) == ["192.0.2.4"])
    }

    @Test("a resolver bound to an interface that is not there sends nothing and says why")
    func boundToNothing() async throws {
        do {
            _ = try await server.resolver(interface: "absent0").records(of: "both.test", .a)
            Issue.record("the query was answered")
        } catch {
            guard case .interfaceRefused("absent0", _) = error else { throw error }
        }
    }
}
