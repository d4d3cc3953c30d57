import CNetlink
import EventLoop
import Glibc
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@testable import Netlink

@Suite(
    "Loss is noticed, counted and repaired",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct LossTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add w0 type veth peer name p0
            link set w0 up
            link set p0 up
            address add 192.0.2.10/24 dev w0
            """)
    }

    /// So many links that a dump of them takes several datagrams.
    private func addLinks() throws {
        try namespace.ip((0..<100).map { "link add c\($0) type veth peer name d\($0)" }.joined(separator: "\n"))
    }

    private static let storm = (0..<2000).map { "route add 10.0.\($0 >> 8).\($0 & 255)/32 dev w0" }.joined(
        separator: "\n")

    @Test("D1 after an overrun, news is dropped until the queue is empty; a question asked then has the truth")
    func d1() async throws {
        try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(receiveBufferSize: 8192)
            var requests = try RequestSocket()
            let query = RouteQuery(destination: try #require(IPAddress("1.1.1.1")))
            try namespace.ip(Self.storm)
            // Reads the ENOBUFS, which comes before the old news, and nothing else.
            let first = socket.drain(budget: 1) { _ in Issue.record("news came before the overrun") }
            #expect(first.overruns == 1)
            #expect(!first.isDrained)
            try namespace.ip("route add default via 192.0.2.1 dev w0")
            let (old, rest) = socket.drainAll()
            #expect(rest.isDrained)
            #expect(rest.overruns == 0)
            #expect(!old.contains { $0.isDefaultRoute })
            guard case .route(let match, _) = try requests.answer(query) else {
                Issue.record("no route after the drain")
                return
            }
            #expect(match.destination == .all(of: .ipv4))
            // And news flows again.
            try namespace.ip("route del default")
            #expect(try socket.collect { $0.isDefaultRoute }.last?.isDefaultRoute == true)
        }
    }

    @Test("D2 the kernel is never told to hide losses, and its own count of drops agrees with ours")
    func d2() async throws {
        let (report, drops, quietDrops) = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(receiveBufferSize: 8192)
            var quiet = try NotificationSocket(groups: .link, receiveBufferSize: 8192)
            try namespace.ip(Self.storm)
            let queue = socket.receiveQueue
            #expect(queue.capacity == socket.receiveBufferSize)
            #expect(queue.queuedBytes > queue.capacity / 2)
            #expect(queue.droppedMessages == (try Self.drops(ofPort: socket.port)))
            let report = socket.drainAll().report
            #expect(socket.receiveQueue.queuedBytes == 0)
            let quietReport = quiet.drainAll().report
            #expect(!quietReport.needsResync)
            return (report, try Self.drops(ofPort: socket.port), try Self.drops(ofPort: quiet.port))
        }
        #expect(report.overruns > 0)
        #expect(report.needsResync)
        #expect(drops > 0)
        #expect(quietDrops == 0)
    }

    /// The column `Drops` of `/proc/net/netlink` (`net/netlink/af_netlink.c`).
    private static func drops(ofPort port: UInt32) throws -> Int {
        let table = try String(contentsOf: FilePath("/proc/thread-self/net/netlink"))
        for line in table.split(separator: "\n") {
            let columns = line.split(separator: " ")
            guard columns.count >= 9, columns[1] == "0", columns[2] == "\(port)" else { continue }
            return try #require(Int(columns[8]))
        }
        Issue.record("no netlink socket has port \(port)")
        return 0
    }

    @Test("D3 an interrupted dump is asked for again, and is then whole")
    func d3Repaired() async throws {
        try addLinks()
        let (dump, attempts, expected) = try await namespace.inside { [namespace] in
            var disturbed = try RequestSocket()
            let (dump, attempts) = try disturbed.links { attempt in
                if attempt == 1 { try namespace.ip("link add new0 type veth peer name new1") }
            }
            var undisturbed = try RequestSocket()
            return (dump, attempts, try undisturbed.links())
        }
        #expect(attempts == 2)
        #expect(!dump.wasInterrupted)
        #expect(dump.values.map(\.name) == expected.values.map(\.name))
    }

    @Test("D3 a dump that is interrupted again and again ends with the best there is, and says so")
    func d3Hopeless() async throws {
        try addLinks()
        let (dump, attempts, expected) = try await namespace.inside { [namespace] in
            var disturbed = try RequestSocket()
            var undisturbed = try RequestSocket()
            let expected = try undisturbed.links().values.map(\.name)
            let (dump, attempts) = try disturbed.links { attempt in
                try namespace.ip("link add new\(attempt) type veth peer name peer\(attempt)")
            }
            return (dump, attempts, expected)
        }
        #expect(attempts == Conversation.dumpAttempts)
        #expect(dump.wasInterrupted)
        #expect(Set(dump.values.map(\.name)).isSuperset(of: expected))
    }

    @Test("D3 dumps amid the coming and going of 200 links end, each soon")
    func d3Churn() async throws {
        let churn = (0..<200).map { "link add c\($0) type veth peer name d\($0)\nlink del c\($0)" }
        try await namespace.inside { [namespace] in
            var socket = try RequestSocket()
            let process = try namespace.start("bash", "-c", "ip -batch - <<< '\(churn.joined(separator: "\n"))'")
            var slowest = Duration.zero
            for _ in 0..<300 {
                let start = MonotonicTime.now
                let links = try socket.links()
                _ = try socket.addresses()
                slowest = max(slowest, start.duration(to: .now))
                #expect(links.values.contains { $0.name == "w0" })
            }
            process.terminate()
            #expect(slowest < .seconds(5))
        }
    }

    @Test("D5 dumps and news do not mix: what is deleted between is told as deleted, and no call is refused")
    func d5() async throws {
        try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            var requests = try RequestSocket()
            try namespace.ip("link add gone0 type veth peer name gone1")
            let before = try requests.links().values
            try namespace.ip("link del gone0")
            let after = try requests.links().values
            let (news, report) = socket.drainAll()
            #expect(before.contains { $0.name == "gone0" })
            #expect(!after.contains { $0.name == "gone0" })
            #expect(news.contains { if case .link(.deleted, let link) = $0 { link.name == "gone0" } else { false } })
            #expect(!report.needsResync)
        }
    }

    @Test("D6 D8 eight listeners and eight askers in a process whose id is taken as a port already")
    func d6() async throws {
        try await namespace.inside { [namespace] in
            let other = try ForeignSocket(port: UInt32(getpid()))
            // Noncopyable values do not go into arrays; eight pairs, made by recursion, live at the same time.
            func open(_ depth: Int, _ ports: Set<UInt32>) throws {
                var socket = try NotificationSocket()
                var requests = try RequestSocket()
                let ports = ports.union([socket.port])
                if depth > 1 {
                    try open(depth - 1, ports)
                } else {
                    #expect(ports.count == 8)
                    #expect(!ports.contains(other.port))
                    try namespace.ip("route add 203.0.113.0/24 dev w0")
                }
                #expect(try requests.links().values.count == 3)
                #expect(socket.drainAll().notifications.contains { if case .route = $0 { true } else { false } })
            }
            try open(8, [])
        }
    }

    @Test("D7 news longer than the read buffer is counted and never parsed")
    func d7() async throws {
        let (news, report) = try await namespace.inside { [namespace] in
            var socket = try NotificationSocket(groups: .link, receiveBufferSize: 1 << 20, readBufferSize: 256)
            try namespace.ip("link set w0 mtu 1400")
            return socket.drainAll()
        }
        #expect(news.isEmpty)
        #expect(report.truncated == report.received)
        #expect(report.truncated > 0)
        #expect(report.needsResync)
        #expect(report.isDrained)
    }

    @Test("D7 an answer longer than the read buffer is asked for again with a larger one")
    func d7Answer() async throws {
        let (links, link, expected, duration) = try await namespace.inside {
            let start = MonotonicTime.now
            var small = try RequestSocket(readBufferSize: 128)
            var smaller = try RequestSocket(readBufferSize: 128)
            var usual = try RequestSocket()
            let (links, link) = (try small.links(), try smaller.link(name: "w0"))
            return (links, link, try usual.links(), start.duration(to: .now))
        }
        #expect(links == expected)
        #expect(link == expected.values.first { $0.name == "w0" })
        // Nothing waits for the rest of an answer that was cut.
        #expect(duration < .seconds(4))
    }

    @Test("D7 D8 a long dump that breaks off in its middle is whole and without doubles when asked for again")
    func brokenDump() async throws {
        try addLinks()
        try await namespace.inside {
            var usual = try RequestSocket()
            let expected = try usual.links().values.map(\.index)
            var truncated = try RequestSocket()
            let pointer = truncated.conversation.handle.pointer
            let (whole, attempts) = try truncated.links { attempt in
                if attempt == 1 { nl_socket_set_msg_buf_size(pointer, 128) }
            }
            #expect(attempts == 2)
            #expect(whole.values.map(\.index) == expected)
            var robbed = try RequestSocket()
            let descriptor = robbed.conversation.handle.descriptor
            #expect(throws: NetlinkError.noAnswer(request: "RTM_GETLINK")) {
                try robbed.links { _ in
                    var datagram = [UInt8](repeating: 0, count: 65536)
                    while recv(descriptor, &datagram, datagram.count, CInt(MSG_DONTWAIT)) > 0 {}
                }
            }
            #expect(try robbed.links().values.map(\.index) == expected)
        }
    }

    @Test("a message of another process is counted, and not believed")
    func foreign() async throws {
        let (news, report) = try await namespace.inside {
            var socket = try NotificationSocket()
            // A message that would read as "link 1 is deleted".
            let forged: [UInt8] =
                [32, 0, 0, 0, 17, 0] + Array(repeating: 0, count: 14) + [1] + Array(repeating: 0, count: 11)
            try ForeignSocket().send(forged, toPort: socket.port)
            return socket.drainAll()
        }
        #expect(news.isEmpty)
        #expect(report.foreign == 1)
        #expect(report.received == 0)
        #expect(!report.needsResync)
    }

    @Test("an answer that does not come in time is an error, and does not pass for the next one's")
    func stale() async throws {
        try await namespace.inside {
            var socket = try RequestSocket()
            try socket.conversation.handle.attach([.drop])
            #expect(throws: NetlinkError.noAnswer(request: "RTM_GETLINK lo")) { try socket.link(name: "lo") }
            #expect(try socket.link(name: "w0")?.name == "w0")
        }
    }

    @Test("a socket that fails in a way that nothing mends says so and stops reading")
    func failure() async throws {
        let report = try await namespace.inside {
            var socket = try NotificationSocket()
            let other = try FileDescriptor.open("/dev/null", .readOnly)
            defer { try? other.close() }
            #expect(dup2(other.rawValue, socket.descriptor) >= 0)
            return socket.drainAll().report
        }
        #expect(report.failure == .socket(call: "recvmsg", .notSocket))
        #expect(!report.isDrained)
    }

    @Test("D9 an index of 70,000 is told in links, addresses, routes, rules' answers and nexthop objects")
    func d9() async throws {
        try await namespace.inside { [namespace] in
            var socket = try NotificationSocket()
            var requests = try RequestSocket()
            try namespace.ip(
                """
                link add index 70000 name far0 type veth peer name far1
                link set far0 up
                link set far1 up
                address add 198.51.100.10/24 dev far0
                route add default via 198.51.100.1 dev far0
                nexthop add id 3 dev far0
                """)
            #expect(try requests.link(name: "far0")?.index == 70_000)
            #expect(try requests.link(index: 70_000)?.name == "far0")
            #expect(try requests.nexthop(3)?.outputInterface == 70_000)
            #expect(try requests.addresses(.ipv4).values.contains { $0.index == 70_000 })
            let query = RouteQuery(destination: try #require(IPAddress("1.1.1.1")), outputInterface: 70_000)
            guard case .route(let match, let chosen) = try requests.answer(query) else {
                Issue.record("no route")
                return
            }
            #expect(match.outputInterface == 70_000)
            #expect(chosen?.outputInterface == 70_000)
            let news = socket.drainAll().notifications
            #expect(
                news.contains { if case .route(_, let route) = $0 { route.outputInterface == 70_000 } else { false } })
        }
    }
}

extension NetlinkNotification {
    fileprivate var isDefaultRoute: Bool {
        if case .route(_, let route) = self { route.destination == .all(of: .ipv4) } else { false }
    }
}
