import EventLoop
import Evidence
import Glibc
import Reachability
import Synchronization
import Testing

@testable import Connectivity
@testable import Netwatch

@Suite("Those who wait for a state")
struct WaiterTests {
    private static let targets = 2_000

    @Test("cost the monitor next to nothing, however many targets there are")
    func cost() throws {
        let alone = try Self.processorTime(waitingFor: [])
        let watched = try Self.processorTime(waitingFor: [.target("nobody"), .connectivity(.full), .target("last")])
        #expect(watched < alone * 2, "\(alone) alone, \(watched) with three who wait")
    }

    /// The processor time of a monitor's thread for a result of each target, none of which those wait for.
    private static func processorTime(waitingFor conditions: [WaitCondition]) throws -> Duration {
        var configuration = ConnectivityConfiguration(
            targets: try (0..<targets).map { try Target("http://192.0.2.1/\($0)", name: $0 == 0 ? "last" : "t\($0)") })
        configuration.maximumProbesInFlight = targets
        configuration.jitter = 0
        let hub = EventHub(configuration: configuration)
        _ = hub.start(configuration, seed: 1, loop: try EventLoop())
        var now: UInt64 = 1_000_000_000
        var probes: [Probe] = []
        func feed(_ input: ConnectivityReducer.Input) {
            now += 100_000_000
            probes += hub.reduce(input, at: Instant(monotonic: MonotonicTime(nanoseconds: now), wall: now)).probes
        }
        feed(.path(.start(.by("eth0"))))
        for _ in 0..<2 * targets where probes.count < targets { feed(.timer) }
        try #require(probes.count >= targets / 2)
        let ids = conditions.map { hub.addWaiter($0) { _ in } }
        let start = threadTime
        for probe in probes where probe.target.name != "last" {
            feed(.ended(probe.id, .test(probe.target.name, .failure, at: now)))
        }
        defer { ids.forEach(hub.endWaiter) }
        return threadTime - start
    }

    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("are told when an event that tells all would say so", arguments: 1...8 as ClosedRange<UInt64>)
    func sameAsSnapshot(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var world = try Simulation(targets: ["a", "b", "c"], interval: .seconds(5))
        let conditions: [WaitCondition] =
            [.path, .reachability(.ethernet), .reachability(.wifi), .target("a"), .target("b"), .target("nobody")]
            + [ConnectivityStatus.local, .portal, .limited, .full].map { .connectivity($0) }
        world.path(.by("eth0"), cause: .start)
        var met = 0
        for _ in 0..<200 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: world.path(.gone)
            case 1: world.path(.by("wlan0", medium: .wifi))
            case 2: world.path(.by("eth0"))
            case 3...4: world.advanceToWake()
            default:
                guard let probe = world.open.randomElement(using: &random) else { continue }
                world.end(probe, [.success, .success, .failure, .portal].randomElement(using: &random) ?? .success)
            }
            let snapshot = world.reducer.snapshot(
                at: Instant(monotonic: MonotonicTime(nanoseconds: world.now), wall: world.now))
            for condition in conditions {
                let isMet = world.reducer.meets(condition)
                #expect(isMet == condition.isMet(by: snapshot), "\(condition) of \(snapshot.to)")
                met += isMet ? 1 : 0
            }
        }
        #expect(met > 0)
    }

    @Test("may ask the monitor for more in the moment they are told")
    func reentrant() throws {
        let configuration = ConnectivityConfiguration(targets: [try Target("http://192.0.2.1/")])
        let hub = EventHub(configuration: configuration)
        _ = hub.start(configuration, seed: 1, loop: try EventLoop())
        let told = Told()
        _ = hub.addWaiter(.path) { event in told.note(event, hub.snapshot) }
        _ = hub.reduce(.path(.start(.by("eth0"))), at: .now)
        #expect(told.events.map(\.reachability) == [.ethernet, .ethernet])
        _ = hub.addWaiter(.path) { event in told.note(event, hub.snapshot) }
        #expect(told.events.count == 4)
    }

    private final class Told: Sendable {
        private let all = Mutex<[Event]>([])
        var events: [Event] { all.withLock { $0 } }

        func note(_ events: Event?...) {
            all.withLock { $0 += events.compactMap { $0 } }
        }
    }
}
