import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite("Notifications", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct NotificationTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip("link add w0 type veth peer name p0\nlink set w0 up\nlink set p0 up")
    }

    /// What the kernel tells while the commands run, up to a message.
    private func news(
        of batch: String, until isLast: @escaping @Sendable (NetlinkNotification) -> Bool
    ) async throws -> [NetlinkNotification] {
        try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            try namespace.ip(batch)
            return try socket.collect(until: isLast)
        }
    }

    @Test("an address, and its going")
    func address() async throws {
        let news = try await news(of: "address add 192.0.2.1/24 dev w0\naddress del 192.0.2.1/24 dev w0") {
            if case .address(.deleted, _) = $0 { true } else { false }
        }
        let added = news.compactMap { if case .address(.new, let message) = $0 { message } else { nil } }
        #expect(added.map(\.address.description) == ["192.0.2.1"])
        #expect(added.map(\.prefixLength) == [24])
    }

    @Test("a route of each family, and its going")
    func route() async throws {
        let news = try await news(
            of: """
                route add 203.0.113.0/24 dev w0 metric 7
                route add 2001:db8:7::/48 dev w0 metric 8
                route del 203.0.113.0/24 dev w0
                route del 2001:db8:7::/48 dev w0
                """
        ) {
            if case .route(.deleted, let route) = $0 { route.priority == 8 } else { false }
        }
        let told = news.compactMap { notification -> String? in
            guard case .route(let change, let route) = notification, [7, 8].contains(route.priority) else { return nil }
            return "\(change) \(route.destination)"
        }
        #expect(
            told == [
                "new 203.0.113.0/24", "new 2001:db8:7::/48", "deleted 203.0.113.0/24", "deleted 2001:db8:7::/48",
            ])
    }

    @Test("a rule, a nexthop object and a link, and their going")
    func others() async throws {
        let news = try await news(
            of: """
                rule add priority 9 table 99
                nexthop add id 5 dev w0
                nexthop del id 5
                rule del priority 9
                link del w0
                """
        ) {
            if case .link(.deleted, let link) = $0 { link.name == "w0" } else { false }
        }
        #expect(news.contains { if case .rule(.new, let rule) = $0 { rule.table == 99 } else { false } })
        #expect(news.contains { if case .rule(.deleted, let rule) = $0 { rule.priority == 9 } else { false } })
        #expect(news.contains { if case .nexthop(.new, let object) = $0 { object.id == 5 } else { false } })
        #expect(news.contains { if case .nexthop(.deleted, let object) = $0 { object.id == 5 } else { false } })
    }

    @Test("a setting that changes routing with no other news", arguments: AddressFamily.allCases)
    func netconf(family: AddressFamily) async throws {
        let settings = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            try namespace.run("sysctl", "-w", "net.\(family.rawValue).conf.w0.ignore_routes_with_linkdown=1")
            return try socket.collect { if case .netconf = $0 { true } else { false } }
        }
        guard case .netconf(.new, let setting)? = settings.last else {
            Issue.record("no netconf message")
            return
        }
        #expect(setting.family == family)
        #expect(setting.ignoresRoutesWithLinkDown == true)
    }

    @Test("a lost carrier is told by flags, state and carrier")
    func carrier() async throws {
        let news = try await news(of: "link set p0 down") {
            if case .link(_, let link) = $0 { link.name == "w0" && link.carrier == false } else { false }
        }
        guard case .link(.new, let link)? = news.last else {
            Issue.record("no link message")
            return
        }
        #expect(link.flags.contains(.up))
        #expect(!link.flags.contains(.lowerUp))
        #expect(link.operationalState == .lowerLayerDown)
    }

    @Test("C1 a port that leaves its bridge is told as a deletion in the bridge's family, and lives on")
    func c1() async throws {
        let (news, link) = try await namespace.inside { [namespace] in
            try namespace.ip("link add br0 type bridge\nlink set p0 master br0")
            var socket = try NotificationSocket(groups: .link)
            var requests = try RequestSocket()
            try namespace.ip("link set p0 nomaster")
            let news = try socket.collect { if case .link(.deleted, _) = $0 { true } else { false } }
            return (news, try requests.link(name: "p0"))
        }
        let families = news.compactMap { if case .link(.deleted, let link) = $0 { link.family } else { nil } }
        #expect(families == [7])
        #expect(link != nil)
    }

    @Test("C11 what happens in another namespace is not told, although indexes repeat there")
    func c11() async throws {
        let other = try TestNamespace()
        let (news, report) = try await namespace.inside {
            var socket = try NotificationSocket()
            _ = socket.drainAll()
            try other.ip("link add far0 type veth peer name far1\nlink set far0 up\nlink del far0")
            return socket.drainAll()
        }
        // A link of this one may tell late that it has come up.
        let names = news.compactMap { if case .link(_, let link) = $0 { link.name } else { nil } }
        #expect(!names.contains { $0.hasPrefix("far") }, "\(names)")
        #expect(report.isDrained)
    }

    @Test("what one call reads is bounded, and it says that more is left")
    func budget() async throws {
        let reports = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(groups: .ipv4Address)
            try namespace.ip((1...20).map { "address add 192.0.2.\($0)/32 dev w0" }.joined(separator: "\n"))
            return [socket.drain(budget: 15) { _ in }, socket.drain(budget: 15) { _ in }]
        }
        #expect(reports.map(\.received) == [15, 5])
        #expect(reports.map(\.isDrained) == [false, true])
        #expect(reports.map(\.needsResync) == [false, false])
    }

    @Test("a budget that is just enough leaves nothing to be read", arguments: [(15, true), (20, false)])
    func exactBudget(messages: Int, isDrained: Bool) async throws {
        let report = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(groups: .ipv4Address)
            try namespace.ip((1...messages).map { "address add 192.0.2.\($0)/32 dev w0" }.joined(separator: "\n"))
            return socket.drain(budget: 15) { _ in }
        }
        #expect(report.received == 15)
        #expect(report.isDrained == isDrained)
    }

    @Test("the receive buffer is what was asked for where the process may set it, and never the library's 32 KiB")
    func receiveBuffer() throws {
        let socket = try NotificationSocket()
        #expect(socket.receiveBufferSize >= 2 * 212_992)
    }
}
