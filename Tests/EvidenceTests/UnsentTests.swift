import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("What this host cannot send")
struct UnsentTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))

    @Test(
        "a probe that left before is asked anew, so that its target is part of the same event",
        arguments: [false, true])
    func leftBefore(isAnyHeard: Bool) throws {
        let (known, asks) = started()
        var model = known
        for (id, target) in asks { answer(id, of: target, in: &model) }
        #expect(model.verdict?.status == .full)

        // One is under way that was heard, as a server that has accepted and not answered yet; the others cannot be sent.
        let later = start + .seconds(2)
        let second = open(model.reduce(.requested, at: later).asks)
        let waiting = try #require(second.first { $0.target == 2 })
        let host = Host(address: address(waiting.target), way: way)
        _ = model.reduce(.sent(waiting.id, host), at: later)
        _ = model.reduce(.heard(waiting.id, host.address, after: .milliseconds(1)), at: later + .milliseconds(1))
        var told: [Announcement] = []
        for (id, target) in second where target != waiting.target {
            if isAnyHeard {
                let (other, time) = (Host(address: address(target), way: way), later + .milliseconds(10 - 5 * target))
                _ = model.reduce(.sent(id, other), at: time)
                _ = model.reduce(.heard(id, other.address, after: .milliseconds(1)), at: time + .milliseconds(1))
            }
            told += [model.reduce(.ended(id, .unsent), at: later + .milliseconds(20)).announcement].compactMap(\.self)
        }

        let anew = model.reduce(.timer, at: later + .milliseconds(750))
        told += [anew.announcement].compactMap(\.self)
        #expect(anew.cancelled == [waiting.id])
        #expect(told.isEmpty)
        let third = try #require(open(anew.asks).first { $0.target == waiting.target })
        let end = model.reduce(.ended(third.id, .unsent), at: later + .milliseconds(755)).announcement
        #expect(end == nil)
        let announcement = try #require(model.reduce(.timer, at: later + .milliseconds(1500)).announcement)
        #expect(announcement.verdict == Verdict(.unknown, .host, .unsent))
        #expect(Set(announcement.changes.map(\.target)) == [0, 1, 2])
    }

    @Test(
        "one that was sent before and is answered then is asked at once, so that its target is part of the same event")
    func answeredFromBefore() throws {
        let (known, asks) = started()
        var model = known
        for (id, target) in asks { answer(id, of: target, in: &model) }
        let later = start + .seconds(2)
        let second = open(model.reduce(.requested, at: later).asks)
        let first = try #require(second.first { $0.target == 2 })
        let host = Host(address: address(first.target), way: way)
        _ = model.reduce(.sent(first.id, host), at: later)
        var told: [Announcement] = []
        for (id, target) in second where target != first.target {
            told += [model.reduce(.ended(id, .unsent), at: later + .milliseconds(20)).announcement].compactMap(\.self)
        }
        _ = model.reduce(.heard(first.id, host.address, after: .milliseconds(1)), at: later + .milliseconds(21))
        let answered = model.reduce(.ended(first.id, .expected), at: later + .milliseconds(21))
        let anew = try #require(open(answered.asks).first { $0.target == first.target })
        told += [answered.announcement].compactMap(\.self)
        told += [model.reduce(.ended(anew.id, .unsent), at: later + .milliseconds(750)).announcement].compactMap(\.self)
        if told.isEmpty {
            told += [model.reduce(.timer, at: later + .milliseconds(1500)).announcement].compactMap(\.self)
        }
        #expect(told.map(\.verdict) == [Verdict(.unknown, .host, .unsent)])
    }

    @Test("one whose connection is cut by what keeps this host from sending is waited for, and part of the same event")
    func cutWithinAConnection() throws {
        let (known, asks) = started()
        var model = known
        for (id, target) in asks { answer(id, of: target, in: &model) }
        let later = start + .seconds(2)
        let second = open(model.reduce(.requested, at: later).asks)
        for (id, target) in second {
            let host = Host(address: address(target), way: way)
            _ = model.reduce(.sent(id, host), at: later)
            _ = model.reduce(.heard(id, host.address, after: .milliseconds(1)), at: later + .milliseconds(1))
        }
        var told: [Announcement] = []
        for (id, target) in second where target != 2 {
            told += [model.reduce(.ended(id, .unsent), at: later + .milliseconds(20)).announcement].compactMap(\.self)
        }
        let cut = try #require(second.first { $0.target == 2 })
        let end = model.reduce(.ended(cut.id, .wrong(.unanswered)), at: later + .milliseconds(30))
        told += [end.announcement].compactMap(\.self)

        for delay in stride(from: 50, to: 2000, by: 50) {
            let result = model.reduce(.timer, at: later + .milliseconds(delay))
            told += [result.announcement].compactMap(\.self)
            for (id, _) in open(result.asks) {
                let end = model.reduce(.ended(id, .unsent), at: later + .milliseconds(delay + 5))
                told += [end.announcement].compactMap(\.self)
            }
        }
        #expect(told.map(\.verdict) == [Verdict(.unknown, .host, .unsent)])
        #expect(told.first.map { Set($0.changes.map(\.target)) } == [0, 1, 2])
    }

    @Test("a probe that is answered in time is not asked anew")
    func answered() throws {
        let (known, asks) = started()
        var model = known
        let waiting = try #require(asks.first { $0.target == 2 })
        for (id, target) in asks where target != 2 {
            _ = model.reduce(.ended(id, .unsent), at: start + .milliseconds(20))
            #expect(target < 2)
        }
        answer(waiting.id, of: 2, in: &model)
        #expect(model.reduce(.timer, at: start + .milliseconds(750)).cancelled.isEmpty)
        #expect(model.verdict == Verdict(.limited, .host, .unsent))
    }

    @Test("what could not be sent is no miss of a target that refuses then: it has to refuse twice")
    func refusedAfterwards() throws {
        let (known, asks) = started()
        var model = known
        for (id, target) in asks { answer(id, of: target, in: &model) }
        var found: [Health.Status] = []
        for (second, answer) in [(2, Answer.unsent), (4, .wrong(.refused)), (6, .wrong(.refused))] {
            let now = start + .seconds(second)
            for (id, target) in open(model.reduce(.requested, at: now).asks) {
                let host = Host(address: address(target), way: way)
                if answer != .unsent {
                    _ = model.reduce(.sent(id, host), at: now)
                    _ = model.reduce(.heard(id, host.address, after: .milliseconds(1)), at: now + .milliseconds(1))
                }
                _ = model.reduce(.ended(id, target == 0 ? answer : .expected), at: now + .milliseconds(2))
            }
            found.append(model.health(of: 0).status)
        }
        #expect(found == [.unknown, .unknown, .down])
    }

    @Test("a way is not dead because of questions that this host could not send")
    func unsentRound() throws {
        let settings = Settings(targets: (0..<3).map { Watched(addresses: [address($0)], interval: .seconds(60)) })
        var model = Assessor(settings, at: start, seed: 1)
        let course = Network.Course(way, reachesAll: true)
        var asks = model.reduce(.network(Network(ways: [course])), at: start).asks
        asks += model.reduce(.requested, at: start).asks
        for (id, target) in open(asks) { answer(id, of: target, in: &model) }
        #expect(model.verdict?.status == .full)

        // One falls silent when the others were heard last, and then nothing more can be sent.
        let later = start + .seconds(2)
        let second = open(model.reduce(.requested, at: later).asks)
        for (id, target) in second where target != 0 {
            let host = Host(address: address(target), way: way)
            _ = model.reduce(.sent(id, host), at: later)
            _ = model.reduce(.heard(id, host.address, after: .milliseconds(1)), at: later + .milliseconds(1))
            _ = model.reduce(.ended(id, .expected), at: later + .milliseconds(1))
        }
        let silent = try #require(second.first { $0.target == 0 })
        _ = model.reduce(.sent(silent.id, Host(address: address(0), way: way)), at: later + .milliseconds(50))
        var told: [Verdict] = []
        for delay in stride(from: 100, through: 12_000, by: 50) {
            let now = later + .milliseconds(delay)
            var asks: [Ask] = []
            func take(_ output: Assessor.Output) {
                asks += output.asks
                told += [output.announcement?.verdict].compactMap(\.self)
            }
            take(model.reduce(.timer, at: now))
            if delay == 3050 {
                take(model.reduce(.missed(silent.id, address(0), .silent), at: now))
                take(model.reduce(.ended(silent.id, .nothing), at: now))
            }
            while !asks.isEmpty { take(model.reduce(.ended(asks.removeFirst().id, .unsent), at: now)) }
        }
        #expect(told == [Verdict(.unknown, .host, .unsent)])
    }

    /// A model that knows a way, and what it asks at first.
    private func started() -> (model: Assessor, asks: [(id: Ask.ID, target: Int)]) {
        var model = Assessor(settings, at: start, seed: 1)
        let first = model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: start).asks
        return (model, open(first + model.reduce(.requested, at: start).asks))
    }

    private func answer(_ id: Ask.ID, of target: Int, in model: inout Assessor) {
        let host = Host(address: address(target), way: way)
        _ = model.reduce(.sent(id, host), at: start + .milliseconds(21))
        _ = model.reduce(.heard(id, host.address, after: .milliseconds(1)), at: start + .milliseconds(22))
        _ = model.reduce(.ended(id, .expected), at: start + .milliseconds(22))
    }

    private func open(_ asks: [Ask]) -> [(id: Ask.ID, target: Int)] {
        asks.compactMap { ask in
            if case .probe(let target, _) = ask.question { (ask.id, target) } else { nil }
        }
    }

    private var settings: Settings {
        Settings(targets: (0..<3).map { Watched(addresses: [address($0)], interval: .seconds(1)) })
    }

    private func address(_ number: Int) -> IPAddress { .v4(IPv4Address(rawValue: 0xC633_6400 + UInt32(number))) }
}
