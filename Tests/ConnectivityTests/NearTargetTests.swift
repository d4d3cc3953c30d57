import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

/// Targets on this host's own link beside others: what answers there says nothing of what is behind the gateway.
@Suite("Targets on the link itself")
struct NearTargetTests {
    /// Some targets of either place, all of them up.
    private func world(near: Int, far: Int, references: Int = 0) throws -> Simulation {
        var targets = try (0..<near).map { (number: Int) in try Target("http://n\(number).test/", name: "n\(number)") }
        targets += try (0..<far).map { (number: Int) in try Target("http://f\(number).test/", name: "f\(number)") }
        targets += try (0..<references).map { (number: Int) in
            try Target("http://r\(number).test/", name: "r\(number)", role: .reference)
        }
        var world = Simulation(ConnectivityConfiguration(targets: targets))
        world.address = { name in
            IPAddress((name.hasPrefix("n") ? "192.168.1." : "203.0.113.") + "\(100 + (Int(name.dropFirst()) ?? 0))")
        }
        world.path(try path(), cause: .start)
        world.live(.seconds(10)) { _ in .success }
        #expect(world.status == .full)
        return world
    }

    /// A path by a link with an address of its own.
    private func path() throws -> Path {
        var path = Path.by("eth0")
        let own = try #require(IPAddress("192.168.1.2"))
        path.interfaces[0].addresses = [InterfaceAddress(address: own, prefixLength: 24)]
        return path
    }

    private func health(_ world: Simulation, _ prefix: String) -> [TargetHealth] {
        world.reducer.health.filter { $0.target.hasPrefix(prefix) }
    }

    @Test(
        "the upstream dies: those behind the gateway are unknown and none is down, those on the link stay up",
        arguments: [(2, 50, 0), (1, 1, 0), (1, 1, 3), (5, 3, 2), (1, 0, 3)])
    func deadUpstream(near: Int, far: Int, references: Int) throws {
        var world = try world(near: near, far: far, references: references)
        let before = world.verdicts.count
        world.live(.seconds(300)) { $0.target.name.hasPrefix("n") ? .success : .failure }
        #expect(world.status == .local)
        #expect(world.verdicts.count == before + 1)
        #expect(health(world, "n").allSatisfy { $0.status == .up })
        #expect(health(world, "f").allSatisfy { $0.status == .unknown })
        // Of one alone it cannot be told whether it is the way or the target.
        let isAlone = far + references == 1
        #expect(
            health(world, "f").isEmpty || health(world, "f").contains { $0.blame == (isAlone ? .unknown : .uplink) })
        let evidence = health(world, "f").compactMap(\.evidence)
        #expect(isAlone || evidence.allSatisfy { $0 == "this host is cut off: nobody behind the gateway answers" })
        world.live(.seconds(120)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.verdicts.count == before + 2)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("those on the link are probed as before while the upstream is dead")
    func goesOn() throws {
        var world = try world(near: 2, far: 10)
        world.live(.seconds(300)) { $0.target.name.hasPrefix("n") ? .success : .failure }
        let before = world.started.count
        world.live(.seconds(600)) { $0.target.name.hasPrefix("n") ? .success : .failure }
        let near = world.started.dropFirst(before).count { $0.probe.target.name.hasPrefix("n") }
        #expect((18...24).contains(near))
    }

    @Test("one on the link that falls silent while those behind the gateway answer is down, it alone")
    func oneOnTheLink() throws {
        var world = try world(near: 1, far: 5)
        world.live(.seconds(300)) { $0.target.name == "n0" ? .failure : .success }
        #expect(world.status == .limited)
        #expect(world.reducer.health.filter { $0.status == .down }.map(\.target) == ["n0"])
        #expect(health(world, "n")[0].blame == .target)
    }

    @Test("one on the link that falls silent after the upstream is down where another there answers, else unknown")
    func bothSides() throws {
        for (near, expected) in [(2, TargetHealth.Status.down), (1, .unknown)] {
            var world = try world(near: near, far: 5)
            world.live(.seconds(300)) { $0.target.name.hasPrefix("n") ? .success : .failure }
            world.live(.seconds(300)) { $0.target.name == "n1" ? .success : .failure }
            let health = health(world, "n")
            #expect(health[0].status == expected)
            #expect(health[0].blame == (expected == .down ? .target : .unknown))
            #expect(health.dropFirst().allSatisfy { $0.status == .up })
            #expect(world.reducer.health.filter { $0.status == .down }.count == (expected == .down ? 1 : 0))
        }
    }

    @Test("without a route out those on the link are as they were, probed as before, and the others unknown")
    func withoutRoute() throws {
        var world = try world(near: 2, far: 3)
        var cut = Path.gone
        cut.interfaces = try path().interfaces
        world.path(cut)
        #expect(world.status == ConnectivityStatus.none)
        #expect(world.reducer.health.map(\.status) == [.up, .up, .unknown, .unknown, .unknown])
        #expect(world.events.last?.targets.map(\.status) == [.unknown, .unknown, .unknown])
        #expect(health(world, "f").allSatisfy { $0.blame == .path })
        let before = world.started.count
        world.live(.seconds(300)) { $0.target.name == "n0" ? .failure : .success }
        #expect(world.started.dropFirst(before).allSatisfy { $0.probe.target.name.hasPrefix("n") })
        #expect(world.started.dropFirst(before).count { $0.probe.target.name == "n1" } >= 5)
        #expect(health(world, "n").map(\.status) == [.down, .up])
        #expect(health(world, "n")[0].blame == .target)
        #expect(world.status == ConnectivityStatus.none)
        world.path(try path())
        world.live(.seconds(100)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("a link that is gone takes what was on it with it, and so does a sleep")
    func withoutLink() throws {
        var world = try world(near: 2, far: 3)
        world.path(.gone)
        #expect(world.events.last?.targets.allSatisfy { $0.status == .unknown && $0.blame == .path } == true)
        #expect(world.open.isEmpty)
        var asleep = try self.world(near: 2, far: 3)
        asleep.path(try path(), cause: .resume)
        #expect(asleep.reducer.health.allSatisfy { $0.status == .unknown })
    }

    @Test("a target that its URL places on the link is probed from the start, though there is no route out")
    func atStart() throws {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("tcp://192.168.1.7:53", name: "near"), try Target("http://203.0.113.7/", name: "far"),
        ])
        configuration.jitter = 0
        var world = Simulation(configuration)
        var cut = Path.gone
        cut.interfaces = try path().interfaces
        world.path(cut, cause: .start)
        #expect(world.open.map(\.target.name) == ["near"])
        world.live(.seconds(7)) { _ in .success }
        #expect(world.reducer.health.map(\.status) == [.up, .unknown])
    }

    @Test("so is one that a route of its own leads to, and one whose name has led there")
    func behindRoute() throws {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("tcp://10.1.2.3:53", name: "own"), try Target("http://203.0.113.7/", name: "far"),
            try Target("http://named.test/", name: "named"),
        ])
        configuration.jitter = 0
        #expect(configuration.places?.map(\.description) == ["10.1.2.3", "203.0.113.7"])
        var world = Simulation(configuration)
        world.address = { _ in IPAddress("10.9.9.9") }
        world.path(try path(), cause: .start)
        world.live(.seconds(7)) { _ in .success }
        var cut = Path.gone
        cut.interfaces = try path().interfaces
        cut.routes = [try #require(IPPrefix("10.0.0.0/8"))]
        world.path(cut)
        world.live(.seconds(7)) { _ in .success }
        #expect(world.status == ConnectivityStatus.none)
        #expect(world.reducer.health.map(\.status) == [.up, .unknown, .up])
        cut.routes = []
        world.path(cut)
        #expect(world.reducer.health.map(\.status) == [.unknown, .unknown, .unknown])
    }

    /// Two interfaces, each with an address of its own.
    private func twoLinks(_ path: Path, addressed: Int = 2) throws -> Path {
        var path = path
        for (index, own) in ["192.168.1.2", "192.168.2.2"].prefix(addressed).enumerated() {
            path.interfaces[index].addresses = [
                InterfaceAddress(address: try #require(IPAddress(own)), prefixLength: 24)
            ]
        }
        return path
    }

    @Test("what is on the link of one interface is asked by no other, also where its address comes later")
    func ownLinkOfOne() throws {
        for path in [Path.byLegs(["up1", "up2"]), .by("up1", spares: ["up2"])] {
            var configuration = ConnectivityConfiguration(targets: [
                try Target("tcp://192.168.1.1:80", name: "one"), try Target("tcp://192.168.2.1:80", name: "two"),
                try Target("http://203.0.113.7/", name: "far"),
            ])
            configuration.perInterface = path.ipv4.legs.isEmpty
            configuration.jitter = 0
            var world = Simulation(configuration)
            let answer = { (probe: Probe) -> ProbeResult.Outcome in
                probe.target.name == "far" || probe.interface == (probe.target.name == "one" ? "up1" : "up2")
                    ? .success : .failure
            }
            world.path(try twoLinks(path, addressed: 1), cause: .start)
            world.live(.seconds(1), answer)
            world.path(try twoLinks(path))
            world.live(.seconds(120), answer)
            #expect(world.status == .full, "\(world.reducer.health)")
            #expect(world.reducer.health.allSatisfy { $0.status == .up })
            let before = world.started.count
            world.live(.seconds(120), answer)
            let asked = Set(
                world.started.dropFirst(before).map { "\($0.probe.target.name) \($0.probe.interface ?? "")" })
            #expect(asked == ["one up1", "two up2", "far up1", "far up2"])
        }
    }

    @Test("a box on the link that sends elsewhere is wrong itself, and no portal that all others stand behind")
    func redirectingBox() throws {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("http://192.168.1.1/", name: "box"), try Target("tcp://192.168.1.20:5432", name: "other"),
        ])
        configuration.jitter = 0
        var world = Simulation(configuration)
        var cut = Path.gone
        cut.interfaces = try path().interfaces
        world.path(cut, cause: .start)
        world.live(.seconds(120)) { $0.target.name == "box" ? .portal : .success }
        #expect(world.events.allSatisfy { $0.connectivity != .portal })
        #expect(world.reducer.health.map(\.status) == [.down, .up])
    }

    @Test("of thousands of addresses few are asked about without a way out, spread over all")
    func places() throws {
        let targets = try (0..<10_000).map { try Target("http://10.\($0 / 250).\($0 % 250).1/", name: "t\($0)") }
        let places = try #require(ConnectivityConfiguration(targets: targets).places).map(\.description)
        #expect(places.count == 32 && Set(places).count == 32)
        #expect(ConnectivityConfiguration().places == nil)
        #expect(places.first == "10.0.0.1" && places.last?.hasPrefix("10.38.") == true)
    }

    @Test(
        "an address is read out of a target's URL",
        arguments: [
            ("http://192.0.2.1/", "192.0.2.1"), ("http://192.0.2.1:8080?x@y", "192.0.2.1"),
            ("https://user:word@192.0.2.1/", "192.0.2.1"), ("tcp://[2001:db8::1]:53", "2001:db8::1"),
            ("icmp://192.0.2.1", "192.0.2.1"), ("http://192.0.2.1.test/", nil), ("http://a.test/@192.0.2.1", nil),
        ])
    func address(url: String, expected: String?) throws {
        var target = try Target(url)
        #expect(target.address?.description == expected)
        target.proxy = "http://proxy.test:3128"
        #expect(target.address == nil)
        target.proxy = nil
        target.family = .ipv4
        #expect(target.address?.description == expected)
    }

    @Test("where all are on the link they witness for each other")
    func allNear() throws {
        var world = try world(near: 5, far: 0)
        world.live(.seconds(300)) { $0.target.name == "n3" ? .failure : .success }
        #expect(world.reducer.health.filter { $0.status == .down }.map(\.target) == ["n3"])
        world.live(.seconds(300)) { _ in .failure }
        #expect(world.status == .local)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
    }
}
