import EventLoop
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

@Suite("What must not be said")
struct MisjudgementTests {
    @Test(
        "that nothing is known of a target that fails over a living uplink, because another one is dead",
        arguments: ["eth0", "eth1"])
    func deadUplink(dead: String) throws {
        var world = try Simulation(targets: ["a", "b", "c"], perInterface: true)
        world.path(.by("eth0", spares: ["eth1"]), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        world.live(.seconds(200)) { $0.interface == dead ? .failure : .success }
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
        world.live(.seconds(200)) { $0.interface == dead || $0.target.name == "a" ? .failure : .success }
        let health = world.reducer.health[0]
        #expect(health.status == .down)
        #expect(health.blame == .target)
        #expect(["b answered", "c answered"].contains(health.evidence))
        #expect(world.reducer.health.dropFirst().allSatisfy { $0.status == .up })
        world.live(.seconds(200)) { _ in .failure }
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
    }

    @Test("that an uplink is well that is not there any more", arguments: [1, 300])
    func vanished(count: Int) throws {
        var world = try Simulation(targets: (0..<count).map { "t\($0)" }, perInterface: true)
        world.path(.by("eth0", spares: ["eth1"]), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        #expect(world.events.last?.uplinks.map(\.interface) == ["eth0", "eth1"])
        let events = world.events.count
        world.path(.by("eth0"))
        world.live(.seconds(5)) { _ in .success }
        #expect(world.events.dropFirst(events).map(\.kind) == [.path])
        #expect(world.events.last?.changes.contains(.uplinks) == true)
        #expect(world.events.last?.uplinks.map(\.interface) == ["eth0"])
        #expect(world.status == .full)
    }

    @Test("that a target is down, because the uplink dies behind which a portal had answered in its place")
    func deadPortal() throws {
        let targets = try ["a", "b", "r", "s", "t"].map { (name: String) in
            try Target("http://\(name).test/", name: name, role: name < "r" ? .target : .reference)
        }
        var configuration = ConnectivityConfiguration(targets: targets)
        configuration.jitter = 0
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .portal }
        #expect(world.status == .portal)
        world.live(.seconds(30)) { _ in .failure }
        #expect(world.status == .local)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
        #expect(world.events.allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
    }

    @Test(
        "that too few are well where all are to whom it applies",
        arguments: [ConnectivityPolicy.quorum(2), .weight(2), .weight(30), .all, .any])
    func inapplicable(policy: ConnectivityPolicy) throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.reconfigure { $0.policy = policy }
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { $0.target.name == "a" ? .success : .skipped }
        #expect(world.status == .full)
        world.live(.seconds(200)) { $0.target.name == "a" ? .failure : .skipped }
        #expect(world.status == .local)
    }

    @Test("that a URL with an address is not found behind a proxy of the other family")
    func proxyOfOtherFamily() throws {
        var target = try Target("http://[2001:db8::5]/")
        #expect(target.family == .ipv6)
        target.proxy = "http://192.0.2.1:3128"
        #expect(target.family == nil)
    }

    @Test("that a target of a medium is well by a bond whose port is of another, or unknown once it is of that")
    func mediumOfBond() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        (configuration.jitter, configuration.perInterface) = (0, true)
        configuration.targets[0].medium = .wifi
        configuration.targets.append(try Target("http://b.test/", name: "b"))
        var world = Simulation(configuration)
        world.path(.by("bond0", medium: .wifi), cause: .start)
        world.live(.seconds(90)) { _ in .success }
        #expect(world.reducer.health.map(\.status) == [.up, .up])
        world.path(.by("bond0", medium: .ethernet))
        let start = world.started.count
        world.live(.seconds(90)) { _ in .success }
        #expect(world.reducer.health.map(\.status) == [.unknown, .up])
        #expect(Set(world.started.dropFirst(start).map(\.probe.target.name)) == ["b"])
        world.path(.by("bond0", medium: .wifi))
        world.live(.seconds(90)) { _ in .success }
        #expect(world.reducer.health.map(\.status) == [.up, .up])
    }

    @Test("that connectivity is full before anybody was heard", arguments: [ConnectivityPolicy.quorum(0), .weight(0)])
    func nobody(policy: ConnectivityPolicy) throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/")])
        configuration.policy = policy
        #expect(throws: ConnectivityError.self) { try configuration.validate() }
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        #expect(world.status == .unknown)
    }

    @Test("for as long as a back-off lasts that a target is not there, whose own interface is back")
    func boundTarget() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        configuration.jitter = 0
        configuration.targets.append(try Target("http://b.test/", name: "b"))
        configuration.targets[1].interface = "eth1"
        var world = Simulation(configuration)
        world.path(.by("eth0", spares: ["eth1"]), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        world.path(.by("eth0"))
        world.live(.seconds(600)) { $0.target.name == "b" ? .failure : .success }
        #expect(world.reducer.health[0].status == .up)
        #expect(world.reducer.health[1].status != .up)
        world.path(.by("eth0", spares: ["eth1"]))
        #expect(world.open.contains { $0.target.name == "b" })
        world.endAll(.success)
        #expect(world.reducer.health.map(\.status) == [.up, .up])
        #expect(world.status == .full)
    }

    @Test("that probes are off where there are targets and no uplink to probe them by")
    func noUplink() throws {
        var world = try Simulation(targets: ["a"], perInterface: true)
        var path = Path.by("eth0")
        path.interfaces = []
        world.path(path, cause: .start)
        #expect(world.status == .unknown)
        #expect(world.events.last?.reason == nil)
    }

    @Test("that connectivity is gone where one of several uplinks fails and the others have not been heard yet")
    func early() throws {
        var world = try Simulation(targets: ["a"], perInterface: true)
        world.reconfigure { $0.uplinkPolicy = .any }
        world.path(.by("eth0", spares: ["eth1"]), cause: .start)
        let probes = world.open
        let first = try #require(probes.first { $0.interface == "eth0" })
        world.end(first, .failure)
        #expect(world.status == .unknown)
        let second = try #require(probes.first { $0.interface == "eth1" })
        world.end(second, .success)
        #expect(world.status == .full)
        #expect(world.events.filter { $0.kind == .transition }.count == 1)
    }

    @Test("nothing at all of a target that there is no way to probe by")
    func noWay() throws {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("http://a.test/", name: "a"), try Target("http://192.0.2.1/", name: "b"),
            try Target("http://c.test/", name: "c"),
        ])
        configuration.targets[2].interface = "eth7"
        configuration.perInterface = true
        var world = Simulation(configuration)
        var path = Path.by("eth0", ipv6: true)
        path.ipv4 = FamilyPath(isUsable: false, reason: .noRoute)
        path.interfaces[0].ipv4 = InterfaceUsability(isUsable: false, reason: .noRoute)
        world.path(path, cause: .start)
        world.live(.seconds(5)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.health.map(\.status) == [.up, .unknown, .unknown])
        #expect(world.reducer.health.map(\.reason) == [nil, .noPath, .interfaceUnusable])
        #expect(world.reducer.health.map(\.blame) == [nil, .path, .path])
    }
}
