import EventLoop
import Foundation
import NetworkAddress
import Reachability
import Synchronization
import TestSupport
import Testing

/// A recording gives the same updates again, byte for byte.
@Suite("Record and replay", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct TraceTests {
    @Test("what was recorded replays to the same updates, through JSON and back")
    func roundTrip() async throws {
        let lines = Mutex<[Data]>([])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var configuration = PathMonitor.Configuration()
        configuration.receiveBufferSize = 4096
        configuration.others = [try #require(IPAddress("10.1.2.3"))]
        configuration.recorder = { record in
            do {
                let line = try JSONEncoder().encode(record)
                lines.withLock { $0.append(line) }
            } catch {
                Issue.record(error)
            }
        }
        let host = try Host(configuration)
        for number in 0...1 { try host.addUplink(number) }
        try host.setDefault(.ipv4, to: 0)
        let updates = Mutex<[PathUpdate]>([])
        await host.monitor.onUpdate { update in updates.withLock { $0.append(update) } }
        try await host.start()
        try host.near.ip(
            """
            route replace default via 192.0.1.1 dev w1
            link set w0 down
            link set lo mtu 60000
            """)
        try host.bringUp(0)
        try host.setDefault(.ipv6, to: 0)
        try host.far.ip("link set p1 down")
        await host.wait { $0.ipv4.reason == .noCarrier && $0.supportsIPv6 }
        await host.monitor.resume(after: .seconds(7))
        try host.near.ip((1...200).map { "link set w0 mtu \(1300 + $0)" }.joined(separator: "\n"))
        await host.wait { $0.interface("w0")?.mtu == 1500 }
        try host.near.ip("route add 10.0.0.0/8 via 192.0.0.1 dev w0")
        try host.deleteDefault(.ipv4, of: 1)
        try host.deleteDefault(.ipv6, of: 0)
        await host.wait { !$0.routes.isEmpty }
        await host.monitor.stop()

        let live = updates.withLock { $0 }
        let decoder = JSONDecoder()
        var replayer = TraceReplayer()
        let replayed = try lines.withLock { $0 }.compactMap { line in
            try replayer.replay(decoder.decode(TraceRecord.self, from: line))
        }
        #expect(live.count >= 5)
        #expect(try replayed.map(encoder.encode) == live.map(encoder.encode))
    }
}
