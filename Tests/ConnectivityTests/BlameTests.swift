import NetworkAddress
import Reachability
import Testing

@testable import Connectivity
@testable import Probing

@Suite("Is it them, or is it me?")
struct BlameTests {
    private func world(_ count: Int, references: Bool = false) throws -> Simulation {
        var targets = try (0..<count).map { (number: Int) in try Target("http://t\(number).test/", name: "t\(number)") }
        if references {
            targets += try (0..<3).map { (number: Int) in
                try Target("http://r\(number).test/", name: "r\(number)", role: .reference)
            }
        }
        var configuration = ConnectivityConfiguration(targets: targets)
        configuration.maximumProbesInFlight = 8
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(10)) { _ in .success }
        #expect(world.status == .full)
        return world
    }

    @Test("one of fifty that falls silent is down, it alone, and it is to blame", arguments: [false, true])
    func oneTarget(references: Bool) throws {
        var world = try world(50, references: references)
        world.live(.seconds(300)) { $0.target.name == "t7" ? .failure : .success }
        #expect(world.status == .limited)
        let event = try #require(world.events.last)
        #expect(event.reason == .targetsFailed)
        #expect(event.targets.filter { $0.status == .down }.map(\.target) == ["t7"])
        #expect(event.targets.first { $0.target == "t7" }?.blame == .target)
        #expect(event.targets.first { $0.target == "t7" }?.evidence?.hasSuffix("answered") == true)
        #expect(event.targets.filter { $0.status == .unknown }.isEmpty)
    }

    @Test(
        "all fifty silent is one event: the uplink is dead, the targets are unknown and none is down",
        arguments: [false, true])
    func deadUplink(references: Bool) throws {
        var world = try world(50, references: references)
        let before = world.events.count
        world.live(.seconds(300)) { _ in .failure }
        #expect(world.events.count == before + 1)
        let event = try #require(world.events.last)
        #expect(event.connectivity == .local)
        // Of so many that is one fact.
        #expect(event.othersUnknown && event.targets.isEmpty)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
        #expect(world.reducer.health.contains { $0.blame == .uplink })
        let verdicts = world.verdicts.count
        world.live(.seconds(120)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.verdicts.count == verdicts + 1)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("the dead uplink is seen within a few probes, not at the end of the interval")
    func quickly() throws {
        var world = try world(50)
        let start = world.now
        world.live(.seconds(300)) { _ in .failure }
        let event = try #require(world.events.last)
        #expect(event.monotonic - start < 61_000_000_000)
        let failed = world.started.filter { $0.time > start && $0.time <= event.monotonic }
        #expect(failed.count <= 8)
    }

    @Test("while the uplink is dead, few ask")
    func quiet() throws {
        var world = try world(50)
        world.live(.seconds(100)) { _ in .failure }
        let before = world.started.count
        world.live(.seconds(600)) { _ in .failure }
        #expect(world.started.count - before < 100)
    }

    @Test("the loss of the path is one event too, and nobody is down")
    func noPath() throws {
        var world = try world(50)
        let before = world.events.count
        world.path(.gone)
        world.live(.seconds(10)) { _ in .failure }
        #expect(world.events.count == before + 1)
        #expect(world.events.last?.othersUnknown == true)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown && $0.blame == .path })
    }

    @Test("a second target that goes down is told, though the state stays as it is")
    func secondTarget() throws {
        var world = try world(5)
        world.live(.seconds(300)) { $0.target.name == "t1" ? .failure : .success }
        world.live(.seconds(300)) { ["t1", "t2"].contains($0.target.name) ? .failure : .success }
        #expect(world.events.last?.kind == .target)
        #expect(world.events.last?.targets.filter { $0.status == .down }.map(\.target) == ["t2"])
        #expect(world.reducer.health.filter { $0.status == .down }.map(\.target) == ["t1", "t2"])
    }

    @Test("all check endpoints dead while a target answers is not an outage of the uplink")
    func endpointsDead() throws {
        var world = try world(5, references: true)
        world.live(.seconds(300)) { $0.target.role == .reference ? .failure : .success }
        #expect(world.status == .limited)
        #expect(world.reducer.health.filter { $0.target.hasPrefix("t") }.allSatisfy { $0.status == .up })
    }
}

@Suite("Uplinks judged on their own")
struct UplinkTests {
    private func world(spares: [String] = ["up2"], ipv6: Bool = false) throws -> Simulation {
        var world = try Simulation(targets: ["a", "b"], fall: 2, perInterface: true)
        world.path(.by("up1", ipv6: ipv6, spares: spares), cause: .start)
        return world
    }

    private func verdict(_ world: Simulation, _ interface: String) -> ConnectivityStatus? {
        world.reducer.snapshot(at: .now).uplinks.first { $0.interface == interface }?.connectivity
    }

    @Test("each has its probes, bound to it")
    func bound() throws {
        let world = try world()
        #expect(world.open.map(\.interface) == ["up1", "up1", "up2", "up2"])
        #expect(world.open.allSatisfy { $0.family == .ipv4 })
    }

    @Test("the primary dies, the spare stays full; the route moves to it: full at once, without a probe")
    func failover() throws {
        var world = try world()
        world.live(.seconds(10)) { _ in .success }
        #expect(world.status == .full)
        world.live(.seconds(200)) { $0.interface == "up1" ? .failure : .success }
        #expect(world.status == .local)
        #expect(verdict(world, "up1") == .local)
        #expect(verdict(world, "up2") == .full)
        #expect(world.events.last?.targets.allSatisfy { $0.status == .up } == true)
        let probes = world.started.count
        world.path(.by("up2", spares: ["up1"]))
        #expect(world.status == .full)
        #expect(world.started.count == probes)
        #expect(world.events.last?.to.interfaces == ["up2"])
    }

    @Test(
        "the policy `any` takes the best, `all` the worst",
        arguments: [(UplinkPolicy.any, ConnectivityStatus.full), (.all, .limited)])
    func policy(policy: UplinkPolicy, expected: ConnectivityStatus) throws {
        var world = try world()
        world.reconfigure { $0.uplinkPolicy = policy }
        world.live(.seconds(10)) { _ in .success }
        world.live(.seconds(200)) { $0.interface == "up1" ? .failure : .success }
        #expect(world.status == expected)
    }

    @Test("one family alone is limited, with that reason")
    func family() throws {
        var world = try world(spares: [], ipv6: true)
        world.live(.seconds(10)) { $0.family == .ipv6 ? .failure : .success }
        #expect(world.status == .limited)
        #expect(world.events.last?.reason == .ipv6Failed)
    }

    @Test("targets without an address of a family say nothing about it")
    func notApplicable() throws {
        var world = try world(spares: [], ipv6: true)
        world.live(.seconds(10)) { $0.family == .ipv6 ? .skipped : .success }
        #expect(world.status == .full)
    }

    @Test("an uplink that goes takes its probes with it, and one that comes is probed at once")
    func comeAndGo() throws {
        var world = try world()
        world.path(.by("up1"))
        #expect(world.open.allSatisfy { $0.interface == "up1" })
        world.endAll(.success)
        world.path(.by("up1", spares: ["up3"]))
        #expect(world.open.map(\.interface) == ["up3", "up3"])
        #expect(world.status == .full)
    }
}
