import Glibc
import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite("The filter for routes", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct RouteFilterTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add w0 type veth peer name p0
            link set w0 up
            link set p0 up
            address add 192.0.2.10/24 dev w0
            address add 2001:db8::10/64 dev w0 nodad
            """)
    }

    /// The blocks whose routes are told, by news and by withdrawal, while routes to all of them are made and deleted.
    private func told(_ blocks: [IPPrefix], filter: RouteFilter) async throws -> (made: [Int], deleted: [Int]) {
        // A metric of its own makes every route another one, and names it.
        let commands = ["add", "del"].flatMap { verb in
            blocks.enumerated().map { "route \(verb) \($1) dev w0 metric \($0 + 10_000)" }
        }
        return try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            try socket.attach(filter)
            try namespace.ip(commands.joined(separator: "\n"))
            var made: [Int] = []
            var deleted: [Int] = []
            let report = socket.drain(budget: .max) { notification in
                guard case .route(let change, let route) = notification, route.priority >= 10_000 else { return }
                if change == .new { made.append(Int(route.priority) - 10_000) }
                if change == .deleted { deleted.append(Int(route.priority) - 10_000) }
            }
            #expect(!report.needsResync)
            return (made, deleted)
        }
    }

    @Test(
        "the kernel's verdict equals that of prefix arithmetic, for random lists and random routes",
        arguments: AddressFamily.allCases, [0, 1, 2, 7, 40, RouteFilter.greatestCount])
    func differential(family: AddressFamily, count: Int) async throws {
        var random = SeededGenerator(seed: UInt64(count) &* 2 &+ (family == .ipv4 ? 0 : 1))
        let watched = (0..<count).map { _ in IPAddress.random(family, using: &random) }
        let blocks = (0..<600).map { _ in
            IPPrefix.random(near: watched.randomElement(using: &random), family, using: &random)
        }
        let expected = blocks.indices.filter { index in
            blocks[index].length == 0 || watched.contains { blocks[index].contains($0) }
        }
        let filter = RouteFilter(destinations: watched)
        let (made, deleted) = try await told(blocks, filter: filter)
        #expect(made == expected)
        #expect(deleted == expected)
        #expect(expected.count < blocks.count)
    }

    @Test("with more destinations than can be told apart, every route passes")
    func open() async throws {
        var random = SeededGenerator(seed: 5)
        let watched = (0...RouteFilter.greatestCount).map { _ in IPAddress.random(.ipv4, using: &random) }
        let blocks = try ["203.0.113.0/24", "198.51.100.0/24"].map { try #require(IPPrefix($0)) }
        let (made, _) = try await told(blocks, filter: RouteFilter(destinations: watched))
        #expect(made == [0, 1])
    }

    @Test("pieces of a split default pass as far as they hold a watched address, and so do default routes")
    func pieces() async throws {
        let texts = [
            "0.0.0.0/1", "128.0.0.0/1", "0.0.0.0/5", "8.0.0.0/7", "1.1.1.0/24", "1.1.2.0/24", "1.1.1.1/32", "0.0.0.0/0",
            "::/0", "2000::/3", "2606:4700::/32",
        ]
        let blocks = try texts.map { try #require(IPPrefix($0)) }
        let filter = RouteFilter(destinations: [try #require(IPAddress("1.1.1.1"))])
        let (made, _) = try await told(blocks, filter: filter)
        #expect(made.map { texts[$0] } == ["0.0.0.0/1", "0.0.0.0/5", "1.1.1.0/24", "1.1.1.1/32", "0.0.0.0/0", "::/0"])
    }

    @Test("a filter attached in place of another decides alone")
    func replacement() async throws {
        let (first, second) = (try #require(IPAddress("1.1.1.1")), try #require(IPAddress("9.9.9.9")))
        let told = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(groups: .ipv4Route)
            try socket.attach(RouteFilter(destinations: [first]))
            try socket.attach(RouteFilter(destinations: [second]))
            try namespace.ip("route add 1.1.1.0/24 dev w0\nroute add 9.9.9.0/24 dev w0")
            return socket.drainAll().notifications
        }
        let blocks = told.compactMap {
            if case .route(_, let route) = $0 { route.destination.description } else { nil }
        }
        #expect(blocks == ["9.9.9.0/24"])
    }

    @Test(
        "the longest program fits the 20 KiB that Linux 6.1 allows; where there is less, every route passes",
        .enabled(if: access("/proc/sys/net/core/optmem_max", W_OK) == 0, "this kernel has one optmem_max for all"))
    func memory() async throws {
        var random = SeededGenerator(seed: 6)
        let watched = AddressFamily.allCases.flatMap { family in
            (0..<RouteFilter.greatestCount).map { _ in IPAddress.random(family, using: &random) }
        }
        let block = try #require(IPPrefix("203.0.113.0/24"))
        for (limit, fits) in [(20_480, true), (2048, false)] {
            try namespace.run("sysctl", "-w", "net.core.optmem_max=\(limit)")
            let (failure, told) = try await namespace.inside { [namespace] in
                var socket = try NotificationSocket(groups: .ipv4Route)
                try socket.attach(RouteFilter(destinations: []))
                try socket.attach(RouteFilter(destinations: watched))
                try namespace.ip("route add \(block) dev w0\nroute del \(block) dev w0")
                return (socket.filterFailure, socket.drainAll().notifications)
            }
            #expect((failure == nil) == fits)
            #expect(told.isEmpty == fits)
        }
    }

    @Test("links, addresses, rules and nexthop objects pass")
    func others() async throws {
        let news = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            try socket.attach(RouteFilter(destinations: []))
            try namespace.ip(
                """
                address add 198.51.100.10/24 dev w0
                rule add priority 7 table 7
                nexthop add id 7 dev w0
                link set w0 mtu 1400
                """)
            return socket.drainAll().notifications
        }
        #expect(news.contains { if case .address = $0 { true } else { false } })
        #expect(news.contains { if case .rule = $0 { true } else { false } })
        #expect(news.contains { if case .nexthop = $0 { true } else { false } })
        #expect(news.contains { if case .link = $0 { true } else { false } })
        #expect(!news.contains { if case .route(_, let route) = $0 { route.table == 254 } else { false } })
    }

    @Test("200,000 routes that cannot matter and one that does: one message, and the smallest buffer holds")
    func storm() async throws {
        let watched = try #require(IPAddress("192.88.99.1"))
        var commands = (0..<200_000).map { "route add 10.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)/32 dev w0" }
        commands.insert("route add default via 192.0.2.1 dev w0", at: 100_000)
        let batch = commands.joined(separator: "\n")
        let (news, report) = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(groups: [.ipv4Route], receiveBufferSize: 4096)
            try socket.attach(RouteFilter(destinations: [watched]))
            try namespace.ip(batch)
            return socket.drainAll()
        }
        #expect(news.count == 1)
        #expect(report.overruns == 0)
        guard case .route(.new, let route)? = news.first else {
            Issue.record("no route message")
            return
        }
        #expect(route.destination == .all(of: .ipv4))
    }
}
