import EventLoop
import Evidence
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

@Suite("The spare that works")
struct SpareTests {
    /// One in which the uplinks are not probed in step.
    private func world(spares: [String] = ["up2"], seed: UInt64 = 1) throws -> Simulation {
        var world = try Simulation(targets: ["a", "b"], fall: 2, perInterface: true)
        var configuration = world.reducer.configuration
        configuration.jitter = 0.5
        world = Simulation(configuration, seed: seed)
        world.path(.by("up1", spares: spares), cause: .start)
        world.live(.seconds(90)) { _ in .success }
        return world
    }

    @Test("is told with the fall of the primary, and no more once that is back")
    func told() throws {
        var world = try world()
        #expect(world.status == .full)
        #expect(world.events.last?.spare == nil)
        world.live(.seconds(100)) { $0.interface == "up1" ? .failure : .success }
        let fall = try #require(world.events.first { $0.connectivity == .local })
        let told = try #require(world.events.first { $0.spare != nil })
        #expect(told.spare == "up2")
        // Its answer to a question of after the fall may be needed.
        #expect(told.monotonic - fall.monotonic < 100_000_000)
        world.live(.seconds(100)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.events.last?.spare == nil)
    }

    @Test("is asked again as soon as the primary falls silent", arguments: UInt64(1)...20)
    func asked(seed: UInt64) throws {
        var world = try world(seed: seed)
        world.live(.seconds(200)) { $0.interface == "up1" ? .failure : .success }
        let fall = try #require(world.events.first { $0.connectivity == .local })
        let asked = world.asked.filter { $0.interface == "up2" && $0.time <= fall.monotonic }
        let last = try #require(asked.last?.time)
        #expect(fall.monotonic - last < 3_000_000_000)
    }

    @Test("is none where it is dead too, though it was well a moment before")
    func bothDead() throws {
        var world = try world()
        let count = world.events.count
        world.live(.seconds(100)) { _ in .failure }
        #expect(world.events.dropFirst(count).contains { $0.connectivity == .local })
        #expect(world.events.allSatisfy { $0.spare == nil })
    }

    @Test("is told behind a portal too: that is no way out")
    func portal() throws {
        var world = try world()
        world.live(.seconds(100)) { $0.interface == "up1" ? .portal : .success }
        #expect(world.status == .portal)
        #expect(world.events.last?.spare == "up2")
    }

    @Test("is the one of several that lives")
    func several() throws {
        var world = try world(spares: ["up2", "up3"])
        world.live(.seconds(100)) { $0.interface == "up3" ? .success : .failure }
        #expect(world.events.last?.spare == "up3")
    }

    @Test("is one and the same while it lives, whichever of several answered last")
    func steady() throws {
        var world = try world(spares: ["up2", "up3"])
        let count = world.events.count
        world.live(.seconds(300)) { $0.interface == "up1" ? .failure : .success }
        #expect(Set(world.events.dropFirst(count).compactMap(\.spare)).count == 1)
        let told = try #require(world.events.last?.spare)
        let other = told == "up2" ? "up3" : "up2"
        world.live(.seconds(100)) { $0.interface == other ? .success : .failure }
        #expect(world.events.last?.spare == other)
    }

    @Test("is told though nothing is asked in one family of the primary", arguments: [true, false])
    func unaskedFamily(isTold: Bool) throws {
        var target = try Target("http://a.test/", name: "a")
        // Where the target does not say so, its name does, which has an address in the other family only.
        if isTold { target.family = .ipv4 }
        var configuration = ConnectivityConfiguration(targets: [target])
        configuration.interval = .seconds(10)
        configuration.perInterface = true
        var world = Simulation(configuration)
        world.address = { _ in IPAddress("198.51.100.1") }
        world.path(.by("up1", ipv6: true, spares: ["up2"]), cause: .start)
        world.live(.seconds(90)) { _ in .success }
        #expect(world.status == .full)
        world.live(.seconds(100)) { $0.interface == "up1" ? .failure : .success }
        #expect(world.status == .local)
        #expect(world.events.last?.spare == "up2")
    }

    @Test("never is one that is dead, in 1,000 fail-overs in which others may have died any time before")
    func failovers() throws {
        var told = 0
        for seed in UInt64(1)...1_000 {
            var random = SplitMix64(seed: seed)
            var world = try Simulation(targets: ["a"], interval: .seconds(10), fall: 2, perInterface: true)
            var configuration = world.reducer.configuration
            configuration.jitter = 0.5
            world = Simulation(configuration, seed: seed)
            world.path(.by("up1", spares: ["up2", "up3"]), cause: .start)
            world.live(.seconds(.random(in: 30...50, using: &random))) { _ in .success }
            // Each of the others is alive, or has died up to 15 seconds before the primary does.
            var dead: Set<String> = []
            for spare in ["up2", "up3"].shuffled(using: &random) where Bool.random(using: &random) {
                dead.insert(spare)
                let dead = dead
                world.live(.milliseconds(.random(in: 0...7_500, using: &random))) {
                    dead.contains($0.interface ?? "") ? .failure : .success
                }
            }
            dead.insert("up1")
            let count = world.events.count
            world.live(.seconds(30)) { [dead] in dead.contains($0.interface ?? "") ? .failure : .success }
            let spares = world.events.dropFirst(count).compactMap(\.spare)
            #expect(dead.isDisjoint(with: spares), "seed \(seed)")
            #expect(spares.isEmpty == (dead.count == 3), "seed \(seed)")
            told += spares.isEmpty ? 0 : 1
        }
        #expect(told > 500)
    }
}
