import NetworkAddress
import Reachability
import TestSupport
import Testing

/// The ways a path ends and comes back, each told as one transition.
@Suite("Transitions", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct TransitionTests {
    /// A way to end the path of an uplink, and to restore it.
    enum Loss: String, CaseIterable, CustomTestStringConvertible {
        case routeDeleted = "the default route is deleted"
        case linkDown = "the link is set down"
        case carrierLost = "the carrier is lost at the peer"
        case linkDeleted = "the link is deleted"
        case addressDeleted = "the address is deleted"

        var testDescription: String { rawValue }

        func happen(to host: Host) throws {
            switch self {
            case .routeDeleted: try host.deleteDefault(.ipv4, of: 0)
            case .linkDown: try host.near.ip("link set w0 down")
            case .carrierLost: try host.far.ip("link set p0 down")
            case .linkDeleted: try host.near.ip("link delete w0")
            case .addressDeleted: try host.near.ip("address delete 192.0.0.2/24 dev w0")
            }
        }

        func mend(_ host: Host) throws {
            switch self {
            case .routeDeleted: break
            case .linkDown, .addressDeleted: try host.bringUp(0)
            case .carrierLost: return try host.far.ip("link set p0 up")
            case .linkDeleted: try host.addUplink(0)
            }
            try host.setDefault(.ipv4, to: 0)
        }

        var kind: Cause.Kind {
            switch self {
            case .routeDeleted: .route
            case .linkDown, .carrierLost, .linkDeleted: .link
            case .addressDeleted: .address
            }
        }
    }

    @Test("the path ends in exactly one transition, and is back in exactly one", arguments: Loss.allCases)
    func lossAndReturn(_ loss: Loss) async throws {
        let host = try await Host.online()
        #expect(host.path.status == .ethernet)

        try loss.happen(to: host)
        await host.wait(for: .none)
        #expect(host.log.transitions.count == 1, "\(host.log.transitions)")
        let end = try #require(host.log.transitions.first)
        #expect(end.previous.interfacesInUse == ["w0"])
        #expect(end.cause.kind == loss.kind, "\(end.cause)")
        #expect(end.cause.interface == "w0")

        host.log.clear()
        try loss.mend(host)
        await host.wait(for: .ethernet)
        #expect(host.log.transitions.count == 1, "\(host.log.transitions.map(\.cause))")
        #expect(host.path.ipv4.gateway == IPAddress("192.0.0.1"))
    }

    @Test("a move of the default route is one transition that names both interfaces")
    func move() async throws {
        let host = try await Host.online(uplinks: 2)
        try host.near.ip("route replace default via 192.0.1.1 dev w1")
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.previous.interfacesInUse) == [["w0"]])
        #expect(host.log.transitions.map(\.path.interfacesInUse) == [["w1"]])
        #expect(host.log.transitions.map(\.cause.kind) == [.route], "\(host.log.transitions.map(\.cause))")
    }

    @Test(
        "a spare takes over in one transition, with no gap between",
        arguments: [Loss.linkDown, .linkDeleted, .routeDeleted, .addressDeleted])
    func failover(_ loss: Loss) async throws {
        let host = try await Host.online(uplinks: 2)
        try host.setDefault(.ipv4, to: 1, metric: 100)
        await host.settle()
        host.log.clear()
        try loss.happen(to: host)
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.path.interfacesInUse) == [["w1"]], "\(host.log.transitions.map(\.cause))")
    }

    @Test("the first path is right when the start returns")
    func firstPath() async throws {
        let host = try Host()
        try host.addUplink(0)
        try host.setDefault(.ipv4, to: 0)
        try host.setDefault(.ipv6, to: 0)
        let path = try await host.monitor.start()
        #expect(path.status == .ethernet)
        #expect(path.supportsIPv4 && path.supportsIPv6)
        #expect(path.ipv4.source == IPAddress("192.0.0.2"))
        #expect(path.ipv6.source == IPAddress("2001:db8:0::2"))
        #expect(path.ipv4.kernel == "17.0.0.1 via 192.0.0.1 dev w0 src 192.0.0.2")
        #expect(host.monitor.currentPath.status == path.status)
    }
}
