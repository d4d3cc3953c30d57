import EventLoop
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Hundreds of links beside the path: of containers, of virtual machines.
@Suite("Links beside the path", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct LinkStormTests {
    private static func pairs(_ count: Int, to far: String = "") -> String {
        (1...count).map { number in
            """
            link add s\(number) group 7 type veth peer name t\(number) \(far)
            address add 10.200.\(number / 250).\(number % 250)/32 dev s\(number)
            link set s\(number) up
            """
        }.joined(separator: "\n")
    }

    @Test(
        "a change of the path asks no more of the kernel where hundreds of links are idle beside it",
        arguments: [true, false])
    func idle(areCables: Bool) async throws {
        let host = try await Host.online(uplinks: 2)
        let few = try await lookupsAChange(host)
        try host.near.ip(Self.pairs(300, to: areCables ? "netns \(host.far.path)" : ""))
        await host.settle()
        let many = try await lookupsAChange(host)
        #expect(many <= few + 10, "\(few) before")
        #expect(host.path.interfaces.map(\.name).allSatisfy { $0.hasPrefix("w") })
    }

    private func lookupsAChange(_ host: Host) async throws -> UInt64 {
        let rounds: UInt64 = 6
        await host.settle()
        let before = host.monitor.statistics
        for round in 1...rounds {
            let target = Int(round % 2)
            try host.setDefault(.ipv4, to: target)
            await host.wait(for: .ethernet, by: ["w\(target)"])
        }
        return (host.monitor.statistics.lookups - before.lookups) / rounds
    }

    @Test("a link that gets a way out is listed, and only as long as it has one")
    func way() async throws {
        let host = try await Host.online()
        try host.near.ip(
            "link add c0 type veth peer name c1\naddress add 10.9.0.1/24 dev c0\nlink set c0 up\nlink set c1 up")
        await host.settle()
        #expect(host.path.interface("c0") == nil, "it leads nowhere")
        try host.near.ip("route add default via 10.9.0.2 dev c0 metric 900")
        await host.wait { $0.interface("c0")?.ipv4.isUsable == true }
        try host.near.ip("route delete default via 10.9.0.2 dev c0")
        await host.wait { $0.interface("c0") == nil }
        try host.near.ip("route add 0.0.0.0/0 dev c0 table 99")
        await host.settle()
        #expect(host.path.interface("c0") == nil, "nothing leads to that table")
        try host.near.ip("rule add preference 9 oif c0 lookup 99")
        await host.wait { $0.interface("c0")?.ipv4.isUsable == true }
        try host.near.ip("rule delete preference 9")
        await host.wait { $0.interface("c0") == nil }
        #expect(host.log.transitions.isEmpty)
    }

    @Test("links that led nowhere are not told of when they are deleted")
    func deletion() async throws {
        let host = try await Host.online()
        try host.near.ip(Self.pairs(20))
        await host.settle()
        let before = host.log.updates.count
        try host.near.ip("link delete group 7")
        await host.settle()
        #expect(host.log.updates.count == before, "\(host.log.updates.dropFirst(before).map(\.cause.description))")
    }

    @Test("while links come and go by the hundred each move of the default route is told")
    func storm() async throws {
        let host = try await Host.online(uplinks: 2)
        let storm = Task {
            for _ in 1...3 { try host.near.ip(Self.pairs(150) + "\nlink delete group 7") }
        }
        var moves = 0
        while moves < 40 {
            moves += 1
            try host.setDefault(.ipv4, to: moves % 2)
            await host.expect("move \(moves)") { [moves] in $0.interfacesInUse == ["w\(moves % 2)"] }
        }
        try await storm.value
        await host.settle()
        #expect(host.log.transitions.map(\.path.interfacesInUse) == (1...moves).map { ["w\($0 % 2)"] })
        let causes = host.log.transitions.filter { !$0.isResync }.map(\.cause)
        #expect(causes.allSatisfy { $0.kind == .route }, "\(causes.first { $0.kind != .route }?.description ?? "")")
    }
}
