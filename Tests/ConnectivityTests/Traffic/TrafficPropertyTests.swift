import EventLoop
import Evidence
import Reachability
import Testing

@testable import Connectivity

/// What holds whatever connections say, and whenever they do.
@Suite("Whatever the host's own traffic says")
struct TrafficPropertyTests {
    private static let seeds = Array(1...40) as [UInt64]

    private func world(_ random: inout SplitMix64) throws -> TrafficSimulation {
        let names: [String] = ["a", "b"]
        var targets = try names.map { name in try Target("http://\(name).test/", name: name, role: .reference) }
        targets.append(try Target("https://own.test/", name: "own"))
        var configuration = ConnectivityConfiguration(targets: targets)
        configuration.interval = .seconds(10)
        configuration.perInterface = Bool.random(using: &random)
        configuration.traffic = TrafficConfiguration(
            interval: Bool.random(using: &random) ? .milliseconds(500) : nil)
        var world = TrafficSimulation(configuration)
        world.simulation.path(.by("eth0", spares: ["wlan0"]), cause: .start)
        return world
    }

    @Test(
        "events are numbered without a gap, no transition changes nothing, and a verdict never becomes better by it",
        arguments: seeds)
    func invariants(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var world = try world(&random)
        for _ in 0..<300 {
            let before = world.simulation.events.last
            step(&world, &random)
            guard let event = world.simulation.events.last, event != before else { continue }
            #expect(event.cause.kind != .traffic || event.connectivity == before?.connectivity)
            #expect(event.reason != .endpointsUnreachable || event.connectivity == .full)
            #expect(event.suspectSince == nil || event.connectivity.rank >= ConnectivityStatus.limited.rank)
        }
        let events = world.simulation.events
        #expect(events.map(\.seq) == (1...UInt64(events.count)).map { $0 })
        for (old, new) in zip(events, events.dropFirst()) where new.kind == .transition { #expect(old.to != new.to) }
    }

    @Test("time goes on: nothing is to be done again and again at one moment", arguments: seeds)
    func noSpinning(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var world = try world(&random)
        world.looksNever = seed.isMultiple(of: 4)
        for _ in 0..<50 {
            step(&world, &random)
            let start = world.simulation.now
            for _ in 0..<10 { world.advanceToWake() }
            #expect(world.simulation.wake == nil || world.simulation.now > start)
        }
    }

    private func step(_ world: inout TrafficSimulation, _ random: inout SplitMix64) {
        let now = MonotonicTime(nanoseconds: world.simulation.now)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: world.simulation.path(.by(["eth0", "wlan0"].randomElement(using: &random) ?? "eth0", spares: ["eth1"]))
        case 1: world.send(.request)
        case 2: world.connections = .flowing
        case 3: world.connections = .stalled(since: now)
        case 4: world.connections = .heard(ago: .milliseconds(Int.random(in: 0...20_000, using: &random)))
        case 5: world.connections = .none
        case 6: world.interface = ["eth0", "wlan0"].randomElement(using: &random) ?? "eth0"
        case 7, 8:
            world.simulation.now += UInt64.random(in: 1...3_000_000_000, using: &random)
            world.advanceToWake()
        default:
            let outcome = [ProbeResult.Outcome.success, .success, .failure, .portal].randomElement(using: &random)
            world.simulation.now += 1_000_000
            world.endAll(outcome ?? .success)
        }
    }
}
