import EventLoop
import Evidence
import NetworkAddress
import Reachability
import TestSupport
import Testing

@testable import Connectivity

/// What holds over any sequence of inputs. Each seed is one random history of 400 inputs: 10,000 in all for each property.
@Suite("Properties of the reducer", .computation)
struct ReducerPropertyTests {
    static let seeds = Array(UInt64(1)...25)

    @Test("no two events in a row tell the same state, and they are numbered without a gap", arguments: seeds)
    func sequence(seed: UInt64) throws {
        let world = try history(seed)
        #expect(!world.events.isEmpty)
        for (before, after) in zip(world.events, world.events.dropFirst()) {
            #expect(after.seq == before.seq + 1)
            #expect(after.from == before.to)
            #expect((after.to != before.to) == (after.kind == .transition))
        }
        #expect(world.events.first?.seq == 1)
        #expect(world.events.dropFirst().allSatisfy { $0.kind != .snapshot })
    }

    @Test(
        "who puts what events tell in the place of what was there knows what a snapshot tells under the same number",
        arguments: seeds)
    func fold(seed: UInt64) throws {
        var reader: ReaderState?
        var taken = 0
        _ = try history(seed) { world in
            for event in world.events.dropFirst(taken) {
                if reader == nil { reader = ReaderState(event) } else { reader?.take(event) }
            }
            taken = world.events.count
            guard let reader else { return }
            #expect(ReaderState(world.reducer.snapshot(at: world.instant)) == reader)
        }
        #expect(reader != nil)
    }

    @Test("no verdict is better than the evidence", arguments: seeds)
    func evidence(seed: UInt64) throws {
        _ = try history(seed) { world in
            guard let event = world.events.last else { return }
            let snapshot = world.reducer.snapshot(at: world.instant)
            switch event.connectivity {
            case .full: #expect(snapshot.targets.contains { $0.status == .up })
            case .portal:
                #expect(world.hasSeenPortal || snapshot.captivePortal?.isCaptive == true)
            case .limited, .local, .unknown, .none: break
            }
            #expect((event.connectivity == .none) == (event.reachability == .none))
        }
    }

    @Test("what is known of a target is told before long", arguments: seeds.filter { $0.isMultiple(of: 3) })
    func settled(seed: UInt64) throws {
        var steps = 0
        _ = try history(seed) { world in
            steps += 1
            guard steps.isMultiple(of: 5) else { return }
            var world = world
            let end = world.now + 20_000_000_000
            while world.now < end, world.wake != nil { world.advanceToWake() }
            let lanes = world.reducer.lanes.all
            guard !lanes.contains(where: \.isCaptive) else { return }
            for target in world.reducer.health.indices {
                let known = lanes.compactMap { lane in lane.place(of: target).map { lane.assessor.health(of: $0) } }
                let status: TargetHealth.Status? = [.up, .down].first { known.map(\.told).contains($0) }
                #expect(world.reducer.health[target].status == status ?? .unknown)
            }
        }
    }

    @Test(
        "no target is down that nobody has witnessed against, and none is known while this host is cut off",
        arguments: seeds)
    func health(seed: UInt64) throws {
        _ = try history(seed) { world in
            guard let event = world.events.last, !event.path.status.isReachable else { return }
            // What is on the link itself needs no path out.
            let others = event.targets.filter { !Self.isMixed(seed) || $0.target != "a" }
            #expect(others.allSatisfy { $0.status == .unknown && $0.blame == .path })
        }
    }

    @Test("a target that is down was told to be", arguments: seeds)
    func told(seed: UInt64) throws {
        _ = try history(seed) { world in
            for health in world.reducer.health where health.status == .down {
                let told = world.events.lazy.reversed().compactMap { $0.targets.first { $0.target == health.target } }
                #expect(told.first?.status == .down)
            }
        }
    }

    @Test("up, down and unknown add up to the time that has passed, for every target", arguments: seeds.prefix(20))
    func accounting(seed: UInt64) throws {
        let world = try history(seed)
        let start = try #require(world.events.first?.monotonic)
        let ends = world.events.dropFirst().map(\.monotonic) + [world.now]
        for target in ["a", "b", "c"] {
            var sums: [TargetHealth.Status: UInt64] = [:]
            var status = TargetHealth.Status.unknown
            for (event, end) in zip(world.events, ends) {
                if event.othersUnknown { status = .unknown }
                if event.othersUp { status = .up }
                status = event.targets.first { $0.target == target }?.status ?? status
                sums[status, default: 0] += end - event.monotonic
            }
            #expect(sums.values.reduce(0, +) == world.now - start)
        }
    }

    @Test("a stable world reaches a stable verdict, whatever came before", arguments: seeds)
    func stable(seed: UInt64) throws {
        var world = try history(seed)
        for index in [2, 3] as [UInt32] { world.send(.portalAdvertised(index, api: nil)) }
        world.path(.by("eth9"))
        for _ in 0..<100 {
            world.endAll(.success)
            world.advanceToWake()
        }
        #expect(world.status == .full)
        let count = world.events.count
        for _ in 0..<50 {
            world.endAll(.success)
            world.advanceToWake()
        }
        #expect(world.events.count == count)
    }

    @Test("the same inputs give the same events and probes", arguments: seeds.prefix(10))
    func replay(seed: UInt64) throws {
        let (first, second) = (try history(seed), try history(seed))
        #expect(first.events == second.events)
        #expect(first.started.map(\.probe) == second.started.map(\.probe))
    }

    /// Whether one target is on this host's own link, and the others are not.
    private static func isMixed(_ seed: UInt64) -> Bool { seed.isMultiple(of: 2) }

    private func history(_ seed: UInt64, check: (Simulation) -> Void = { _ in }) throws -> Simulation {
        var random = SplitMix64(seed: seed)
        var world = try Simulation(
            targets: ["a", "b", "c"], fall: Int.random(in: 1...3, using: &random),
            perInterface: seed.isMultiple(of: 3), perFamily: seed.isMultiple(of: 5))
        world.address = { IPAddress(Self.isMixed(seed) && $0 == "a" ? "127.0.0.1" : "203.0.113.1") }
        for _ in 0..<400 {
            world.step(using: &random)
            check(world)
        }
        return world
    }
}

extension Health {
    fileprivate var told: TargetHealth.Status {
        switch status {
        case .up: .up
        case .down: .down
        case .unknown: .unknown
        }
    }
}

extension Simulation {
    fileprivate var instant: Instant {
        Instant(monotonic: MonotonicTime(nanoseconds: now), wall: now + 1_700_000_000_000_000_000)
    }

    /// One random thing that can happen.
    fileprivate mutating func step(using random: inout SplitMix64) {
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            path([.gone, .by("eth0"), .by("eth1"), .by("wlan0", medium: .wifi)].randomElement(using: &random) ?? .gone)
        case 1: path(.by("eth0", ipv6: Bool.random(using: &random)))
        case 2: send(.request)
        case 3: advance(.milliseconds(Int.random(in: 1...90_000, using: &random)))
        case 4: send(.ended(UInt64.random(in: 0...200, using: &random), .test("a", .success, at: now)))
        case 5: advanceToWake()
        case 6: advance(.seconds(Int.random(in: 100...1000, using: &random)))
        case 7: path(.byLegs(["eth0", "eth1"]))
        case 8: send(.portalAdvertised(UInt32.random(in: 2...3, using: &random), api: "https://portal.test/api"))
        case 9: answerQuestion(using: &random)
        default: endOne(using: &random)
        }
    }

    private mutating func answerQuestion(using random: inout SplitMix64) {
        guard let question = questions.randomElement(using: &random) else { return }
        var portal = CaptivePortal(interface: question.interface, api: question.api)
        portal.isCaptive = [true, false, nil].randomElement(using: &random) ?? nil
        portal.checkedMonotonic = MonotonicTime(nanoseconds: now)
        send(.portalAnswered(PortalAnswer(question: question.id, portal: portal)))
    }

    private mutating func endOne(using random: inout SplitMix64) {
        guard let probe = open.randomElement(using: &random) else { return }
        let outcome = ProbeResult.Outcome.allCases.randomElement(using: &random) ?? .failure
        let hasStatus = outcome == .success || outcome == .portal || Bool.random(using: &random)
        end(probe.target.name, outcome, status: hasStatus ? 200 : nil)
    }
}
