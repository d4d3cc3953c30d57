import EventLoop
import Evidence
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

@Suite("Probes beside the host's own traffic")
struct TrafficReducerTests {
    /// Three references, probed each 10 s, and as many connections as a test says.
    private func world(
        watching interval: Duration? = nil, targets: [String] = [], perInterface: Bool = false,
        path: Path = .by("eth0")
    ) throws -> TrafficSimulation {
        let names: [String] = ["a", "b", "c"]
        let references = try names.map { name in try Target("http://\(name).test/", name: name, role: .reference) }
        let own = try targets.map { name in try Target("http://\(name).test/", name: name) }
        var configuration = ConnectivityConfiguration(targets: references + own)
        configuration.interval = .seconds(10)
        configuration.jitter = 0
        configuration.traffic = TrafficConfiguration(interval: interval)
        configuration.perInterface = perInterface
        var world = TrafficSimulation(configuration)
        world.simulation.path(path, cause: .start)
        world.endAll(.success)
        return world
    }

    // MARK: Putting off

    @Test("a reference is not probed while something was heard within the interval")
    func putOff() throws {
        var world = try world()
        world.connections = .flowing
        world.live(.seconds(95)) { _ in .success }
        #expect(world.started.count == 3)
        #expect(world.putOff >= 20)
        #expect(world.simulation.verdicts.map(\.connectivity) == [.unknown, .full])
        #expect(world.looks <= 60)
    }

    @Test("after ten intervals they are probed all the same, because a portal answers to TCP too")
    func notForEver() throws {
        var world = try world()
        world.connections = .flowing
        world.live(.seconds(119)) { _ in .success }
        #expect(world.started.count == 6)
        #expect(world.started.last.map { $0.time / 1_000_000_000 } ?? 0 > 100)
    }

    @Test("without connections they are probed in their turn, and nobody looks for anything else")
    func idle() throws {
        var world = try world()
        world.live(.seconds(95)) { _ in .success }
        #expect((28...34).contains(world.started.count))
        #expect(world.putOff == 0)
    }

    @Test("what was heard long ago puts nothing off")
    func old() throws {
        var world = try world()
        world.connections = .heard(ago: .seconds(11))
        world.live(.seconds(95)) { _ in .success }
        #expect((28...34).contains(world.started.count))
    }

    @Test("what was heard a while ago puts off for the rest of the interval")
    func aging() throws {
        var world = try world()
        world.connections = .heardOnce(at: MonotonicTime(nanoseconds: world.simulation.now).advanced(by: .seconds(4)))
        world.live(.seconds(9)) { _ in .success }
        #expect(world.started.count == 3)
        world.live(.seconds(16)) { _ in .success }
        #expect(world.started.count >= 6)
    }

    @Test("targets of one's own, a request and another path are never put off")
    func wanted() throws {
        var world = try world(targets: ["own"])
        world.connections = .flowing
        world.live(.seconds(45)) { _ in .success }
        #expect(world.started.map(\.probe.target.name).filter { $0 == "own" }.count == 5)
        #expect(world.started.count == 8)
        world.send(.request)
        #expect(world.simulation.open.count == 4)
        world.endAll(.success)
        var moved = Path.by("eth0")
        moved.ipv4.gateway = IPAddress("192.0.2.9")
        world.simulation.path(moved)
        #expect(world.simulation.open.count == 4)
    }

    @Test("while a reference fails the others are not put off")
    func doubted() throws {
        var world = try world()
        world.connections = .flowing
        world.live(.seconds(15)) { _ in .success }
        world.send(.request)
        world.endAll { $0.target.name == "a" ? .failure : .success }
        let before = world.started.filter { $0.probe.target.name == "b" }.count
        world.live(.seconds(25)) { $0.target.name == "a" ? .failure : .success }
        #expect(world.started.filter { $0.probe.target.name == "b" }.count >= before + 2)
        #expect(world.status == .full)
    }

    @Test("connections over one uplink say nothing of another")
    func uplinks() throws {
        var world = try world(perInterface: true, path: .by("eth0", spares: ["wwan0"]))
        world.connections = .flowing
        world.live(.seconds(45)) { _ in .success }
        #expect(world.started.filter { $0.probe.interface == "eth0" }.count == 3)
        #expect((13...18).contains(world.started.filter { $0.probe.interface == "wwan0" }.count))
    }

    @Test("somebody who never looks probes as without")
    func blind() throws {
        var world = try world(watching: .seconds(1))
        world.looksNever = true
        world.live(.seconds(95)) { _ in .success }
        #expect((28...34).contains(world.started.count))
    }

    // MARK: Suspicion

    @Test("a stall is told, hosts are asked at once, and it is confirmed where none answers")
    func stall() throws {
        var world = try world(watching: .milliseconds(500))
        world.connections = .flowing
        world.live(.seconds(60)) { _ in .success }
        #expect(world.started.count == 3)
        world.connections = .stalled(since: MonotonicTime(nanoseconds: world.simulation.now))
        world.advanceToWake()
        let told = try #require(world.simulation.events.last)
        #expect(told.kind == .uplink)
        #expect(told.connectivity == .full)
        #expect(told.suspectSince != nil)
        #expect(told.cause.kind == .traffic)
        #expect(!world.simulation.touches.isEmpty)
        world.live(.seconds(3)) { _ in .failure }
        #expect(world.status == .local)
        #expect(world.simulation.events.last?.kind == .transition)
        #expect(world.simulation.events.last?.suspectSince == nil)
    }

    @Test("one that a probe refutes is told off, and the same is no news")
    func refuted() throws {
        var world = try world(watching: .milliseconds(500))
        world.simulation.now += 1_000_000
        world.connections = .stalled(since: MonotonicTime(nanoseconds: world.simulation.now))
        world.advanceToWake()
        #expect(world.simulation.events.last?.suspectSince != nil)
        world.endAll(.success)
        #expect(world.simulation.events.last?.suspectSince == nil)
        #expect(world.simulation.events.last?.kind == .uplink)
        let count = world.simulation.events.count
        world.live(.seconds(9)) { _ in .success }
        #expect(world.simulation.events.dropFirst(count).allSatisfy { $0.suspectSince == nil })
    }

    @Test("those that are refuted again and again are believed ever less often")
    func pauses() throws {
        var world = try world(watching: .milliseconds(500))
        var suspicions = 0
        for _ in 0..<100 {
            world.connections = .stalled(since: MonotonicTime(nanoseconds: world.simulation.now))
            world.simulation.now += 500_000_000
            world.send(.timer)
            if world.simulation.events.last?.suspectSince != nil { suspicions += 1 }
            world.endAll(.success)
        }
        // In 50 s: after 1, 2, 4, 8 and then each 10 s.
        #expect((4...8).contains(suspicions))
        #expect(world.status == .full)
    }

    @Test("a stall over the spare is its own")
    func spareStalls() throws {
        var world = try world(watching: .milliseconds(500), perInterface: true, path: .by("eth0", spares: ["wwan0"]))
        world.simulation.now += 1_000_000
        world.connections = .stalled(since: MonotonicTime(nanoseconds: world.simulation.now))
        world.interface = "wwan0"
        world.advanceToWake()
        #expect(Set(world.simulation.touches.map(\.touch.host.way.interface)) == ["wwan0"])
        let told = try #require(world.simulation.events.last)
        #expect(told.suspectSince == nil)
        #expect(told.uplinks.filter { $0.suspectSince != nil }.map(\.interface) == ["wwan0"])
        world.live(.seconds(3)) { $0.interface == "wwan0" ? .failure : .success }
        #expect(told.connectivity == .full)
        #expect(world.simulation.events.last?.uplinks.first { $0.interface == "wwan0" }?.connectivity == .local)
        #expect(world.status == .full)
    }

    @Test("nobody looks where there is no path or nothing works anyway")
    func nothingToLose() throws {
        var world = try world(watching: .milliseconds(500))
        world.simulation.path(.gone)
        let looks = world.looks
        world.live(.seconds(30)) { _ in .failure }
        #expect(world.looks == looks)
    }

    // MARK: A witness

    @Test("all endpoints dead while connections go on: still full, and the reason says what is gone")
    func endpointsGone() throws {
        var world = try world()
        world.live(.seconds(25)) { _ in .success }
        world.connections = .flowing
        world.send(.request)
        world.live(.seconds(60)) { _ in .failure }
        #expect(world.simulation.verdicts.map(\.connectivity) == [.unknown, .full])
        let told = try #require(world.simulation.events.first { $0.reason != nil })
        #expect(told.reason == .endpointsUnreachable)
        #expect(told.connectivity == .full)
        // That they are down is told with it, so that it is of their kind.
        #expect(told.targets.allSatisfy { $0.status == .down && $0.blame == .target })
        #expect(world.simulation.events.last?.reason == .endpointsUnreachable)
        #expect(world.simulation.reducer.health.allSatisfy { $0.status == .down && $0.blame == .target })
        world.live(.seconds(30)) { _ in .success }
        #expect(world.simulation.events.last?.connectivity == .full)
        #expect(world.simulation.events.last?.reason == nil)
    }

    @Test("without connections the same is a dead uplink")
    func uplinkGone() throws {
        var world = try world()
        world.live(.seconds(15)) { _ in .success }
        world.live(.seconds(30)) { _ in .failure }
        #expect(world.status == .local)
    }

    @Test("connections that go quiet uphold nothing any longer, and bring nothing back")
    func quiet() throws {
        var world = try world()
        world.connections = .flowing
        world.send(.request)
        world.live(.seconds(30)) { _ in .failure }
        #expect(world.simulation.events.last?.reason == .endpointsUnreachable)
        world.connections = .none
        world.live(.seconds(60)) { _ in .failure }
        #expect(world.status != .full)
        world.connections = .flowing
        world.live(.seconds(60)) { _ in .failure }
        #expect(world.status != .full)
    }

    @Test("a portal is a portal, whatever goes on beside it")
    func portal() throws {
        var world = try world()
        world.connections = .flowing
        world.send(.request)
        world.live(.seconds(30)) { _ in .portal }
        #expect(world.status == .portal)
    }

    @Test("a target that falls silent is down where connections go on, though nobody else is asked")
    func ownTarget() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://own.test/", name: "own")])
        configuration.interval = .seconds(10)
        configuration.jitter = 0
        configuration.traffic = TrafficConfiguration()
        var world = TrafficSimulation(configuration)
        world.simulation.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        world.connections = .flowing
        world.live(.seconds(60)) { _ in .failure }
        #expect(world.status == .limited)
        let told = try #require(world.simulation.events.last { !$0.targets.isEmpty })
        #expect(told.targets.map(\.status) == [.down])
        #expect(told.targets.first?.blame == .target)
        #expect(told.targets.first?.evidence == "this host's own connections are answered")
    }

    @Test("one operator's endpoints dead or lying changes nothing, without connections too", arguments: [true, false])
    func oneOperator(lies: Bool) throws {
        var world = try world()
        world.live(.seconds(300)) { probe in
            probe.target.name != "a" ? .success : lies ? .portal : .failure
        }
        #expect(world.simulation.verdicts.map(\.connectivity) == [.unknown, .full])
    }

    @Test("without the option nobody looks")
    func off() throws {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("http://a.test/", name: "a", role: .reference)
        ])
        configuration.interval = .seconds(10)
        var world = TrafficSimulation(configuration)
        world.simulation.path(.by("eth0"), cause: .start)
        world.live(.seconds(60)) { _ in .success }
        #expect(world.looks == 0)
        #expect(world.started.count >= 6)
    }
}
