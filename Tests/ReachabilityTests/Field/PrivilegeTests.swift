import EventLoop
import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// All tests of this folder run their monitors so; here is what that means.
@Suite("Without a privilege", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct PrivilegeTests {
    @Test("the monitors of these tests have no capability, and cannot get one back")
    func capabilities() async throws {
        let host = try Host()
        let status = await host.loop.threadStatus().split(separator: "\n")
        for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
            #expect(status.contains("\(set):\t0000000000000000"), "\(status)")
        }
    }

    @Test("every group, the filter, look-ups with foreign marks and users, and carriers are there without one")
    func everything() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.mark = 7
        configuration.userID = 1500
        let host = try await Host.online(uplinks: 2, configuration)
        #expect(host.monitor.listeningState.isComplete)
        #expect(host.monitor.listeningState.filterFailure == nil)
        try host.near.ip(
            "rule add fwmark 7 uidrange 1500-1500 table 77\nroute add default via 192.0.1.1 dev w1 table 77")
        await host.wait(for: .ethernet, by: ["w1"])
        try host.far.ip("link set p1 down")
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
        let messages = host.monitor.statistics.messages
        #expect(messages.link > 0 && messages.route > 0 && messages.rule > 0)
    }

    @Test("only the receive buffer is smaller, as the host's limit has it")
    func receiveBuffer() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.receiveBufferSize = 1 << 30
        let host = try await Host.online(configuration)
        #expect(host.monitor.listeningState.receiveBufferSize < 1 << 30)
        #expect(host.path.status == .ethernet)
    }
}
