import Connectivity
import EventLoop
import Reachability
import TestSupport
import Testing

/// Starts and stops from several tasks at once, as any thread may ask for them.
@Suite(
    "A monitor that is started and stopped by many at once",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct MonitorLifeTests {
    private let client: TestNamespace
    private let monitor: ConnectivityMonitor

    init() throws {
        client = try TestNamespace()
        try client.ip(
            """
            link add eth0 type veth peer name far0
            link set far0 up
            link set eth0 up
            address add 192.0.2.2/24 dev eth0
            route add default via 192.0.2.1
            """)
        let loop = try EventLoop(networkNamespace: client.descriptor)
        monitor = ConnectivityMonitor(configuration: .withoutProbes, loop: loop)
    }

    private func disturb() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [monitor] in
                    switch number % 4 {
                    case 0, 2: try await monitor.start()
                    case 1: await monitor.stop()
                    default: try await monitor.configure(.withoutProbes)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("knows the state after the next start, and leaves nothing behind after the last stop")
    func life() async throws {
        for _ in 0..<5 {
            try await disturb()
            await monitor.stop()
            try await expectSoon { try openSockets().isEmpty }
            try await monitor.start()
            #expect(monitor.current.reachability == .ethernet)
            #expect(try !openSockets().isEmpty)
        }
        await monitor.stop()
        try await expectSoon { try openSockets().isEmpty }
    }

    @Test("knows the state when any of the starts returns")
    func everyStart() async throws {
        let statuses = try await withThrowingTaskGroup(of: ReachabilityStatus.self) { group in
            for _ in 0..<50 {
                group.addTask { [monitor] in
                    try await monitor.start()
                    return monitor.current.reachability
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == .ethernet })
        await monitor.stop()
    }

    /// Netlink sockets in the namespace that are not the kernel's own.
    private func openSockets() throws -> [Substring] {
        try client.run("cat", "/proc/net/netlink").split(separator: "\n").dropFirst()
            .filter { $0.split(separator: " ")[2] != "0" }
    }
}
