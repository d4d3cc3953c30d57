import EventLoop
import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Every change of the path is told, by one update each, also where status and interface stay.
@Suite("Each change of the path is told", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct PathChangeTests {
    /// Something about a path that changes while it stays the same way out.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What `ip` is told.
        let commands: String
        let cause: Cause.Kind
        /// Whether the path shows it.
        let isSeen: @Sendable (Path) -> Bool

        static let all = [
            Change(
                testDescription: "another gateway", commands: "route replace default via 192.0.0.9 dev w0",
                cause: .route
            ) { $0.ipv4.gateway == IPAddress("192.0.0.9") },
            Change(
                testDescription: "another source",
                commands: "address add 192.0.0.77/24 dev w0\nroute replace default via 192.0.0.1 dev w0 src 192.0.0.77",
                cause: .route
            ) { $0.ipv4.source == IPAddress("192.0.0.77") },
            Change(
                testDescription: "another metric",
                commands:
                    "route add default via 192.0.0.1 dev w0 metric 5\nroute delete default via 192.0.0.1 metric 0",
                cause: .route
            ) { $0.ipv4.metric == 5 },
            Change(
                testDescription: "another table",
                commands: "route add default via 192.0.0.1 dev w0 table 99\nrule add preference 9 lookup 99",
                cause: .rule
            ) { $0.ipv4.table == 99 },
            Change(
                testDescription: "IPv6 gained", commands: "route add default via 2001:db8:0::1 dev w0", cause: .route
            ) { $0.supportsIPv6 },
            Change(testDescription: "an address gained", commands: "address add 192.0.0.3/24 dev w0", cause: .address) {
                $0.interface("w0")?.addresses.contains { $0.address == IPAddress("192.0.0.3") } == true
            },
        ]
    }

    @Test("by an update that is no transition", arguments: Change.all)
    func told(_ change: Change) async throws {
        let host = try await Host.online()
        let before = host.path
        try host.near.ip(change.commands)
        await host.wait(until: change.isSeen)
        let update = try #require(host.log.updates.last)
        #expect(update.path == host.path && update.path != before)
        #expect(update.cause.kind == change.cause)
        #expect(host.log.transitions.isEmpty)
        // From one to the next, none left out and none twice.
        let updates = host.log.updates
        #expect(zip(updates.dropFirst(), updates).allSatisfy { $0.previous == $1.path })
        #expect(updates.allSatisfy { $0.previous != $0.path })
    }

    @Test("by an update for another network of a Wi-Fi card's, too (injected)")
    func network() throws {
        var world = World()
        world.add(.uplink(3, "wlan0"), "198.51.100.2/24")
        world.setDefault(.ipv4, via: "198.51.100.1", dev: 3)
        world.surroundings.facts[3] = LinkFacts(isWireless: true)
        var reducer = PathReducer(world.question)
        for name in ["office", "guests"] {
            var wireless = WirelessInterface(index: 3, name: "wlan0", type: .station)
            wireless.ssid = name
            world.surroundings.wireless[3] = wireless
            let update = try #require(reducer.conclude(try world.path(), at: .now))
            #expect(update.path.interface("wlan0")?.wireless?.ssid == name)
        }
        #expect(reducer.conclude(try world.path(), at: .now) == nil)
    }

    @Test("what a driver said of its carrier stands until a message about the device itself (injected)")
    func driverWord() {
        var reducer = PathReducer(PathQuestion())
        let link = LinkMessage.uplink(3, "wlan0")
        _ = reducer.apply(.link(.new, link), at: .now)
        reducer.surroundings.carriers[3] = false
        var (event, port) = (link, link)
        event.isWirelessEvent = true
        port.family = 7
        _ = reducer.apply(.link(.new, event), at: .now)
        #expect(reducer.surroundings.carriers[3] == false, "after a wireless event")
        _ = reducer.apply(.link(.new, port), at: .now)
        #expect(reducer.surroundings.carriers[3] == false, "after news of a bridge port")
        _ = reducer.apply(.link(.new, link), at: .now)
        #expect(reducer.surroundings.carriers[3] == nil)
    }

    @Test("an old message is no cause of a change that comes without one (injected)", arguments: [1, 3600] as [Int64])
    func oldMessage(seconds: Int64) throws {
        var world = World()
        world.add(.uplink(3, "eth0"), "198.51.100.2/24")
        world.setDefault(.ipv4, via: "198.51.100.1", dev: 3)
        var reducer = PathReducer(world.question)
        let start = MonotonicTime.now
        _ = reducer.conclude(try world.path(), at: start)
        var route = RouteMessage(destination: IPPrefix.all(of: .ipv4), table: 254, type: .unicast)
        route.outputInterface = 3
        _ = reducer.apply(.link(.new, .uplink(3, "eth0")), at: start)
        _ = reducer.apply(.route(.new, route), at: start)
        _ = reducer.conclude(try world.path(), at: start)
        world.routes = []
        let later = start.advanced(by: .seconds(seconds))
        let update = try #require(reducer.conclude(try world.path(), at: later))
        let isOld = seconds > 60
        #expect(update.readMonotonic == (isOld ? later : start))
        #expect(update.cause.description.contains("no message") == isOld, "\(update.cause)")
    }

    @Test("what came back before anybody looked is no update")
    func unchanged() async throws {
        let host = try await Host.online()
        try host.near.ip("route replace default via 192.0.0.1 dev w0")
        await host.settle()
        #expect(host.log.updates.isEmpty)
    }
}
