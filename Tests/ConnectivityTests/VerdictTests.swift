import Reachability
import RequestEngine
import Testing

@testable import Connectivity

@Suite("The verdict")
struct VerdictTests {
    @Test("no path is none, at once and without a probe")
    func noPath() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.gone, cause: .start)
        #expect(world.events.map(\.kind) == [.snapshot])
        #expect(world.status == ConnectivityStatus.none)
        #expect(world.events.last?.reason == .noPath)
        #expect(world.started.isEmpty)
        #expect(world.wake == nil)
    }

    @Test("a path with probing off is unknown")
    func probingOff() {
        var world = Simulation(.withoutProbes)
        world.path(.by("eth0"), cause: .start)
        #expect(world.status == .unknown)
        #expect(world.started.isEmpty)
    }

    @Test(
        "what all targets say together",
        arguments: [
            (["a": ProbeResult.Outcome.success, "b": .success], ConnectivityStatus.full),
            (["a": .success, "b": .failure], .limited),
            (["a": .failure, "b": .failure], .local),
            // Nothing answers as itself.
            (["a": .portal, "b": .failure], .portal), (["a": .portal, "b": .success], .limited),
            (["a": .portal, "b": .portal], .portal),
        ])
    func together(outcomes: [String: ProbeResult.Outcome], expected: ConnectivityStatus) throws {
        var world = try Simulation(targets: ["a", "b"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(20)) { outcomes[$0.target.name] ?? .success }
        #expect(world.status == expected)
        #expect(world.verdicts.map(\.kind) == [.snapshot, .transition])
    }

    @Test("a wrong answer is an answer: limited, not local")
    func wrongAnswer() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.end("a", .failure, status: 500)
        #expect(world.status == .limited)
    }

    @Test("a target that is down for another reason than was told is told again, and a silence by another word is not")
    func otherReason() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(20)) { $0.target.name == "a" ? .success : .failure }
        let silent = try #require(world.events.last { $0.targets.contains { $0.target == "c" } })
        #expect(silent.targets.first { $0.target == "c" }?.status == .down)
        let before = world.events.count
        for round in 0..<60 {
            world.advance(.seconds(1))
            world.end("a", .success)
            for probe in world.open where probe.target.name != "a" {
                var result = ProbeResult.test(probe.target.name, .failure, at: world.now)
                result.reason = round % 2 == 0 ? .timeout : .connectTimeout
                world.end(probe, result)
            }
        }
        #expect(world.events.count == before, "\(world.events.dropFirst(before))")
        for _ in 0..<300 where world.events.count == before {
            world.advance(.seconds(1))
            world.end("a", .success)
            world.end("b", .failure)
            world.end("c", .failure, status: 500)
        }
        let told = try #require(world.events.dropFirst(before).last)
        #expect(told.targets.map(\.target) == ["c"])
        #expect(told.targets.first?.status == .down && told.targets.first?.reason == .unexpectedStatus)
    }

    @Test("a target that is down for one reason and for another by turns is told once")
    func reasonsByTurns() throws {
        var world = try Simulation(targets: ["a", "b", "c"], interval: .seconds(5))
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(20)) { _ in .success }
        let before = world.events.count
        var turns = 0
        for _ in 0..<300 {
            world.advance(.seconds(1))
            for probe in world.open {
                guard probe.target.name == "c" else {
                    world.end(probe, .test(probe.target.name, .success, at: world.now))
                    continue
                }
                var result = ProbeResult.test("c", .failure, status: turns % 2 == 0 ? 503 : nil, at: world.now)
                result.reason = turns % 2 == 0 ? .unexpectedStatus : .connectionRefused
                turns += 1
                world.end(probe, result)
            }
        }
        let told = world.events.dropFirst(before).filter { $0.targets.contains { $0.target == "c" } }
        #expect(turns > 40)
        #expect(told.count == 1, "\(told.map(\.cause))")
    }

    @Test("the loss of the path ends the verdict at once, and probes under way are cancelled")
    func lossOfPath() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        world.advance(.seconds(61))
        #expect(world.open.count == 1)
        world.path(.gone)
        #expect(world.status == ConnectivityStatus.none)
        #expect(world.open.isEmpty)
        let started = world.started.count
        world.advance(.seconds(3600))
        #expect(world.started.count == started)
        #expect(world.wake == nil)
    }

    @Test("the result of a probe of an older path says nothing")
    func olderPath() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        let stale = world.open[0]
        world.path(.by("eth1"))
        world.send(.ended(stale.id, .test("a", .success, at: world.now)))
        #expect(world.status == .unknown)
        world.end("a", .failure)
        world.advance(.seconds(2))
        #expect(world.status == .local)
    }

    @Test("another way out is probed at once, and what was found on the old one does not count")
    func otherWay() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        world.path(.by("wlan0", medium: .wifi))
        #expect(world.status == .unknown)
        #expect(world.open.count == 1)
        world.end("a", .success)
        #expect(world.events.map(\.to.connectivity) == [.unknown, .full, .unknown, .full])
        #expect(world.events.map(\.to.interfaces) == [["eth0"], ["eth0"], ["wlan0"], ["wlan0"]])
    }

    @Test("a second family that comes does not end the verdict, and is told")
    func secondFamily() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        world.path(.by("eth0", ipv6: true))
        #expect(world.status == .full)
        #expect(world.events.map(\.kind) == [.snapshot, .transition, .path])
    }

    @Test("a target falls only after as many failures as asked for, and rises likewise")
    func riseAndFall() throws {
        var world = try Simulation(targets: ["a"], fall: 3)
        world.reconfigure { $0.rise = 2 }
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        var seen: [ConnectivityStatus?] = []
        for outcome in [
            ProbeResult.Outcome.failure, .failure, .success, .failure, .failure, .failure, .success, .success,
        ] {
            while world.open.isEmpty { world.advanceToWake() }
            // An answer that is wrong needs no other host to be held against the target.
            world.end("a", outcome, status: 500)
            seen.append(world.status)
        }
        #expect(seen == [.full, .full, .full, .full, .full, .limited, .limited, .full])
    }

    @Test("a wrong answer is told as one where it has no status of HTTP's: a record")
    func wrongRecord() throws {
        var world = try Simulation(targets: ["a", "b"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(5)) { _ in .success }
        for _ in 0..<400 where world.reducer.health[0].status != .down {
            if let probe = world.open.first(where: { $0.target.name == "a" }) {
                var result = ProbeResult.test("a", .failure, at: world.now)
                (result.reason, result.failedPhase) = (.unexpectedBody, .processing)
                world.end(probe, result)
            }
            world.end("b", .success)
            world.advanceToWake()
        }
        #expect(world.reducer.health[0].reason == .unexpectedBody && world.reducer.health[0].blame == .target)
        #expect(world.status == .limited)
    }

    @Test("one operator's outage, or one that lies, changes nothing; two of three do")
    func referencesByMajority() throws {
        var configuration = ConnectivityConfiguration(
            targets: try ["a", "b", "c"].map { (name: String) in
                try Target("http://\(name).test/", name: name, role: .reference)
            })
        configuration.jitter = 0
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        #expect(world.status == .unknown)
        world.end("b", .success)
        // The third may still answer in time to be told with them.
        #expect(world.status == .unknown)
        world.advance(.milliseconds(700))
        #expect(world.status == .full)
        world.end("c", .portal)
        #expect(world.status == .full)
        world.live(.seconds(10)) { $0.target.name == "c" ? .portal : .success }
        #expect(world.status == .full)
        world.advance(.seconds(61))
        world.live(.seconds(20)) { $0.target.name == "a" ? .success : .failure }
        #expect(world.status == .limited)
    }

    @Test("plain HTTP well and HTTPS not is limited, with that reason")
    func secureFails() throws {
        var world = Simulation(
            ConnectivityConfiguration(targets: [
                try Target("http://a.test/", name: "plain", role: .reference),
                try Target("https://b.test/", name: "secure", role: .reference),
            ]))
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(10)) { $0.target.name == "secure" ? .failure : .success }
        #expect(world.status == .limited)
        #expect(world.events.last?.reason == .secureFailed)
    }

    @Test("a portal's address is in the event, and gone with the portal")
    func portalAddress() throws {
        var world = Simulation(
            ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a", role: .reference)]))
        world.path(.by("eth0"), cause: .start)
        var result = ProbeResult.test("a", .portal, status: 302, at: world.now)
        result.portal = "http://login.test/"
        world.end(world.open[0], result)
        #expect(world.events.last?.portal == "http://login.test/")
        world.live(.seconds(20)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.events.last?.portal == nil)
    }
}
