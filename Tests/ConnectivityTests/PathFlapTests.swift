import Reachability
import Testing

@testable import Connectivity

@Suite("A link that comes and goes")
struct PathFlapTests {
    private func flap(_ world: inout Simulation, times: Int, each pause: Duration, by cause: Cause.Kind = .link) {
        for _ in 0..<times {
            world.path(.gone, cause: cause)
            world.advance(pause)
            world.path(.by("eth0"), cause: cause)
            world.endAll(.success)
            world.advance(pause)
        }
    }

    @Test("stays lost after the fourth loss, and is told once when it has come to rest")
    func folded() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        let before = world.events.count
        flap(&world, times: 100, each: .milliseconds(100))
        #expect(world.status == ConnectivityStatus.none)
        #expect((7...10).contains(world.events.count - before), "\(world.events.map(\.cause.description))")
        #expect(world.events.last?.cause.description.hasSuffix("(the link was lost 4 times lately)") == true)
        world.live(.seconds(6)) { _ in .success }
        #expect(world.status == .full && world.events.last?.path == .by("eth0"))
        #expect(world.events.contains { $0.cause.description.hasSuffix("(the link was lost 100 times lately)") })
        #expect(world.events.count - before <= 12, "\(world.events.map(\.cause.description))")
    }

    @Test("is told as soon as it has come to rest, however often the verdict has changed before")
    func rest() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        flap(&world, times: 4, each: .seconds(1))
        #expect(world.status == ConnectivityStatus.none)
        world.live(.seconds(5)) { _ in .success }
        #expect(world.status == .full)
    }

    @Test("is told each time while that is seldom")
    func seldom() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        let before = world.events.count
        flap(&world, times: 10, each: .seconds(16))
        #expect(world.events.count - before >= 30)
        #expect(world.events.allSatisfy { !$0.cause.description.contains("lately") })
    }

    @Test("and stays lost for good where it does not come back")
    func gone() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        flap(&world, times: 10, each: .milliseconds(200))
        world.path(.gone, cause: .link)
        let count = world.events.count
        world.live(.seconds(60)) { _ in .success }
        #expect(world.status == ConnectivityStatus.none && world.events.count == count)
        world.path(.by("eth0"), cause: .link)
        #expect(world.events.last?.path == .by("eth0"))
    }

    @Test("unlike a route that is taken away, which is told each time")
    func route() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        let before = world.events.count
        flap(&world, times: 20, each: .milliseconds(200), by: .route)
        #expect(world.events.count - before >= 40)
    }

    /// The kernel's best route is that of the link without carrier until a manager takes it away.
    private func flapBesideAnother(_ world: inout Simulation, times: Int, routesGo: Bool) {
        var between = Path.by("eth0", spares: ["wlan0"])
        between.status = .none
        between.ipv4 = FamilyPath(isUsable: false, reason: .noCarrier)
        between.interfaces[0].ipv4 = InterfaceUsability(isUsable: false, reason: .noCarrier)
        var without = Path.by("wlan0", medium: .wifi, spares: ["eth0"])
        without.interfaces[1].ipv4 = InterfaceUsability(isUsable: false, reason: .noCarrier)
        for _ in 0..<times {
            if routesGo { world.path(between, cause: .link) }
            world.path(without, cause: routesGo ? .route : .link)
            world.endAll(.success)
            world.advance(.milliseconds(1500))
            world.path(.by("eth0", spares: ["wlan0"]), cause: .link)
            world.endAll(.success)
            world.advance(.milliseconds(1500))
        }
    }

    @Test("leaves what works beside it to be told", arguments: [false, true])
    func beside(routesGo: Bool) throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0", spares: ["wlan0"]), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        flapBesideAnother(&world, times: 5, routesGo: routesGo)
        let before = world.events.count
        flapBesideAnother(&world, times: 50, routesGo: routesGo)
        #expect(world.events.count - before <= 4, "\(world.events.map(\.cause.description))")
        #expect(world.status == .full && world.events.last?.path.interfacesInUse == ["wlan0"])
        world.live(.seconds(6)) { _ in .success }
        #expect(world.status == .full && world.events.last?.path.interfacesInUse == ["eth0"])
    }

    @Test("does not hide the loss of the other one")
    func both() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0", spares: ["wlan0"]), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        flapBesideAnother(&world, times: 6, routesGo: true)
        #expect(world.events.last?.path.interfacesInUse == ["wlan0"])
        world.path(.by("eth0"), cause: .link)
        world.path(.gone, cause: .link)
        #expect(world.status == ConnectivityStatus.none && world.events.last?.path == .gone)
    }

    @Test("is told at once after a suspend")
    func resume() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        flap(&world, times: 5, each: .milliseconds(200))
        #expect(world.status == ConnectivityStatus.none)
        world.path(.by("eth0"), cause: .resume)
        #expect(world.events.last?.path == .by("eth0"))
    }

    @Test("is the one that flaps, and not the one that all falls back to")
    func steady() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        var without = Path.by("wlan0", medium: .wifi, spares: ["eth0"])
        without.interfaces[1].ipv4 = InterfaceUsability(isUsable: false, reason: .noCarrier)
        world.path(without, cause: .start)
        world.live(.seconds(5)) { _ in .success }
        for _ in 0..<20 {
            world.path(.by("eth0", spares: ["wlan0"]), cause: .link, of: "eth0")
            world.endAll(.success)
            world.advance(.milliseconds(1500))
            world.path(without, cause: .link, of: "eth0")
            world.endAll(.success)
            world.advance(.milliseconds(1500))
        }
        #expect(world.status == .full && world.events.last?.path.interfacesInUse == ["wlan0"])
        let before = world.events.count
        // Another uplink is no matter of the link that flaps.
        without.interfaces.append(Path.by("wwan0", medium: .wwan).interfaces[0])
        world.path(without, cause: .route)
        #expect(world.events.count == before + 1)
    }
}
