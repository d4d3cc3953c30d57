import EventLoop
import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Messages that never arrive. The cases at the socket are tested with the sockets.
@Suite("D: loss", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct LossTests {
    private func smallBuffer() -> PathMonitor.Configuration {
        var configuration = PathMonitor.Configuration()
        configuration.receiveBufferSize = 4096
        return configuration
    }

    /// Holds the monitor's thread up, so that the kernel has to drop what it tells meanwhile.
    private func whileBlocked(_ host: Host, _ body: () throws -> Void) async throws {
        let gate = Gate()
        await withCheckedContinuation { continuation in
            host.loop.schedule(after: .zero) {
                continuation.resume()
                gate.wait()
            }
        }
        defer { gate.open() }
        try body()
    }

    @Test("D1 after an overrun the state is read anew, and the update says so")
    func d1Overrun() async throws {
        let host = try await Host.online(uplinks: 2, smallBuffer())
        try await whileBlocked(host) {
            try host.near.ip((1...200).map { "link set lo mtu \(60000 + $0)" }.joined(separator: "\n"))
            try host.near.ip("route replace default via 192.0.1.1 dev w1")
            try host.near.ip("link set w0 down")
        }
        await host.wait(for: .ethernet, by: ["w1"])
        let statistics = host.monitor.statistics
        #expect(statistics.overruns > 0)
        #expect(statistics.resyncs[.overrun] ?? 0 > 0)
        let update = try #require(host.log.transitions.first)
        #expect(update.isResync)
        #expect(update.cause.kind == .resync)
        #expect(host.path.interface("w0")?.isUp == false, "what was lost about links is known again")
    }

    @Test("D1 what was read before the loss is not said to be the cause of what was lost")
    func d1Cause() async throws {
        let host = try await Host.online(uplinks: 2, smallBuffer())
        try await whileBlocked(host) {
            try host.near.ip("rule add preference 1000 lookup main")
            try host.near.ip((1...200).map { "link set lo mtu \(60000 + $0)" }.joined(separator: "\n"))
            try host.near.ip("route replace default via 192.0.1.1 dev w1")
        }
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.monitor.statistics.overruns > 0)
        let update = try #require(host.log.transitions.first)
        #expect(update.isResync)
        #expect(update.cause.kind == .resync)
        #expect(!update.cause.description.contains("policy rule"), "\(update.cause)")
        #expect(update.cause.interface == nil && update.cause.fields.isEmpty)

        host.log.clear()
        try host.near.ip("route replace default via 192.0.0.1 dev w0")
        await host.wait(for: .ethernet, by: ["w0"])
        #expect(host.log.transitions.map(\.isResync) == [false])
        #expect(host.log.transitions.map(\.cause.kind) == [.route])
    }

    @Test("D1 a change between the overrun and the end of the drain is not lost")
    func d1Between() async throws {
        let host = try await Host.online(uplinks: 2, smallBuffer())
        for round in 1...20 {
            let target = round % 2
            try await whileBlocked(host) {
                try host.near.ip((1...60).map { "link set lo mtu \(60000 + $0)" }.joined(separator: "\n"))
            }
            // The monitor now reads the overrun while the default moves.
            try host.near.ip("route replace default via 192.0.\(target).1 dev w\(target)")
            await host.wait(for: .ethernet, by: ["w\(target)"])
        }
        #expect(host.monitor.statistics.overruns > 0)
    }

    @Test("while the state waits to be read anew, a change is looked at again as often as ever")
    func putOff() async throws {
        let host = try await Host.online()
        await host.monitor.needLateRepair()
        let before = host.monitor.statistics.evaluations
        await host.monitor.checkCarriers()
        await host.eventually("all confirmations") { host.monitor.statistics.evaluations > before + 4 }
    }

    @Test("D10 a storm of routes with a flip in it ends in the kernel's state, however much was lost")
    func d10Storm() async throws {
        let host = try await Host.online(uplinks: 2, smallBuffer())
        let storm = (0..<20_000).map { "route add 10.\($0 >> 8 & 0xFF).\($0 & 0xFF).0/24 via 192.0.0.1 dev w0" }
        let half = storm.count / 2
        try host.near.ip(
            (storm[..<half] + ["route replace default via 192.0.1.1 dev w1"] + storm[half...])
                .joined(separator: "\n"))
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.path.interfacesInUse) == [["w1"]])
        #expect(host.monitor.statistics.messages.route < 100, "the kernel tells only of routes that could matter")
    }

    @Test("D10 a link deleted while it is dumped is not brought back by the dump")
    func d10DeleteDuringDump() async throws {
        let host = try await Host.online(uplinks: 2, smallBuffer())
        try await whileBlocked(host) {
            try host.near.ip((1...100).map { "link set lo mtu \(60000 + $0)" }.joined(separator: "\n"))
        }
        try host.near.ip("link delete w1")
        await host.wait { $0.interface("w1") == nil }
        #expect(host.path.interfacesInUse == ["w0"])
    }
}
