import Connectivity
import EventLoop
import Glibc
import Netwatch
import Reachability
import TestSupport
import Testing

/// Starts and stops from several tasks at once, as any thread may ask for them.
@Suite(
    "A monitor that is started and stopped by many at once",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct MonitorLifeTests {
    private let client: TestNamespace
    private let loop: EventLoop
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
        loop = try EventLoop(networkNamespace: client.descriptor)
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

    @Test("a sequence that is begun before the start has the state as it is at once, then the start, then the end")
    func eventsBeforeStart() async throws {
        let reader = EventReader(monitor)
        #expect(try await reader.next()?.reachability == .unknown)
        try await monitor.start()
        #expect(try await reader.next()?.reachability == .ethernet)
        await monitor.stop()
        // The link may have been given its own address meanwhile.
        while let event = try await reader.next() { #expect(event.reachability == .ethernet) }
    }

    @Test("sequences that are begun after a stop end: the events with the state as it is, the results with nothing")
    func eventsAfterStop() async throws {
        for _ in 0..<3 {
            try await monitor.start()
            await monitor.stop()
            let reader = EventReader(monitor)
            #expect(try await reader.next()?.reachability == .unknown)
            #expect(try await reader.next() == nil)
            #expect(await monitor.results.first { _ in true } == nil)
        }
    }

    @Test("the time of a wait is over before the start and after a stop, too", .timeLimit(.minutes(1)))
    func waits() async throws {
        let own = ConnectivityMonitor(configuration: .withoutProbes)
        #expect(await own.wait(for: .path, timeout: .milliseconds(50)) == nil)
        #expect(await own.wait(for: .path, timeout: .zero) == nil)
        for _ in 0..<2 {
            #expect(await monitor.wait(for: .path, timeout: .milliseconds(50)) == nil)
            async let path = monitor.wait(for: .path, timeout: .seconds(50))
            try await monitor.start()
            #expect(await path?.reachability == .ethernet)
            #expect(await monitor.wait(for: .reachability(.wifi), timeout: .milliseconds(50)) == nil)
            await monitor.stop()
        }
    }

    @Test("a loop that a host has brought along is scheduled as before")
    func scheduling() async throws {
        let before = await Self.scheduling(of: loop)
        try await monitor.start()
        #expect(await Self.scheduling(of: loop) == before)
        await monitor.stop()
        #expect(await Self.scheduling(of: loop) == before)
    }

    /// The policy with its flags (sched_getscheduler(2)) and the niceness of a loop's thread.
    private static func scheduling(of loop: EventLoop) async -> [CInt] {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) {
                continuation.resume(
                    returning: [sched_getscheduler(0), getpriority(CInt(PRIO_PROCESS.rawValue), 0)])
            }
        }
    }

    /// Netlink sockets in the namespace that are not the kernel's own.
    private func openSockets() throws -> [Substring] {
        try client.run("cat", "/proc/net/netlink").split(separator: "\n").dropFirst()
            .filter { $0.split(separator: " ")[2] != "0" }
    }
}
