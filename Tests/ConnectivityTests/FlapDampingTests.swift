import EventLoop
import Reachability
import Testing

@testable import Connectivity
@testable import Probing

@Suite("Flap damping")
struct FlapDampingTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: UInt64(seconds * 1e9)) }

    @Test("one fall holds nothing back, three in a row do, and after a time of quiet it ends by itself")
    func suppression() throws {
        var damping = FlapDamping()
        damping.fall(at: time(1))
        #expect(!damping.isSuppressed)
        damping.fall(at: time(2))
        damping.fall(at: time(3))
        #expect(damping.isSuppressed)
        let release = try #require(damping.release())
        // 3000 decays to 750 in two half-lives of sixty seconds.
        #expect((time(100)...time(130)).contains(release))
        var early = damping
        early.decay(to: MonotonicTime(nanoseconds: release.nanoseconds - 5_000_000))
        #expect(early.isSuppressed)
        damping.decay(to: release)
        #expect(!damping.isSuppressed)
        #expect(damping.release() == nil)
    }

    @Test(
        "numbers that could never hold anything back, or would for ever, are refused by name",
        arguments: [
            ("penalty", -1.0), ("penalty", .nan), ("reuse", 0), ("reuse", .infinity), ("suppress", 750),
            ("suppress", .nan), ("ceiling", 2499), ("ceiling", .infinity), ("halfLife", 0), ("halfLife", 100_000),
        ])
    func validation(name: String, number: Double) throws {
        var damping = FlapDamping.Configuration()
        switch name {
        case "penalty": damping.penalty = number
        case "reuse": damping.reuse = number
        case "suppress": damping.suppress = number
        case "ceiling": damping.ceiling = number
        default: damping.halfLife = .seconds(number)
        }
        var configuration = ConnectivityConfiguration()
        configuration.damping = damping
        let error = #expect(throws: ConnectivityError.self) { try configuration.validate() }
        guard case .value("damping.\(name)", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("the numbers of the field are taken as they are")
    func defaults() throws {
        var configuration = ConnectivityConfiguration()
        configuration.damping = FlapDamping.Configuration()
        try configuration.validate()
    }

    @Test("the penalty has a ceiling, so that nothing is held back for ever")
    func ceiling() throws {
        var damping = FlapDamping()
        for second in 0..<10_000 { damping.fall(at: time(Double(second))) }
        let release = try #require(damping.release())
        #expect(time(10_000).duration(to: release) < .seconds(240))
    }

    @Test("numbers that are far apart hold news back for long, and do not end the program")
    func farApart() throws {
        var numbers = FlapDamping.Configuration()
        (numbers.penalty, numbers.suppress, numbers.reuse, numbers.ceiling) = (1e200, 1, 1e-200, 1e200)
        numbers.halfLife = .seconds(86400)
        var configuration = ConnectivityConfiguration()
        configuration.damping = numbers
        try configuration.validate()
        var damping = FlapDamping(numbers)
        damping.fall(at: time(1))
        let release = try #require(damping.release())
        // 10 to the power of 400 is 2 to that of 1329.
        let held = time(1).duration(to: release)
        #expect(held > .seconds(1328 * 86400) && held < .seconds(1329 * 86400))
        damping.decay(to: release)
        #expect(!damping.isSuppressed)
    }

    @Test("a flapping target is told as fallen until it is steady; bad news are never held back, and none is lost")
    func reducer() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        configuration.fall = 1
        configuration.interval = .seconds(5)
        configuration.damping = FlapDamping.Configuration()
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        for _ in 0..<20 {
            world.live(.seconds(6)) { _ in .success }
            world.live(.seconds(6)) { _ in .failure }
        }
        // Undamped that would be forty changes.
        #expect(world.events.count { $0.kind == .transition } < 12)
        #expect(world.status == .local)
        world.live(.seconds(6)) { _ in .success }
        #expect(world.status == .local)
        world.live(.seconds(300)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.snapshot(at: .now).observed == nil)
    }

    @Test("a path that comes back is never told as none")
    func path() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        configuration.damping = FlapDamping.Configuration()
        var world = Simulation(configuration)
        for _ in 0..<20 {
            world.path(.by("eth0"))
            world.live(.seconds(1)) { _ in .success }
            world.path(.gone)
            world.now += 1_000_000_000
        }
        #expect(world.events.allSatisfy { ($0.connectivity == .none) == ($0.reachability == .none) })
        world.path(.by("eth0"))
        world.live(.seconds(300)) { _ in .success }
        #expect(world.status == .full)
    }
}
