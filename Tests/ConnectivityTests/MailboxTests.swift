import Reachability
import Synchronization
import TestSupport
import Testing

@testable import Broadcast
@testable import Connectivity
@testable import Netwatch

@Suite("A slow reader")
struct MailboxTests {
    private func events(_ count: Int) throws -> [Event] {
        var world = try Simulation(targets: [])
        for number in 0..<count { world.path(number.isMultiple(of: 2) ? .by("eth0") : .gone) }
        return world.events
    }

    @Test("finds the latest state, with the number of events it stands for")
    func coalesced() async throws {
        let mailbox = Mailbox<SharedEvent>(capacity: 4)
        let events = try events(100)
        events.forEach { mailbox.put(SharedEvent($0)) }
        var taken: [Event] = []
        while let event = mailbox.take()?.event { taken.append(event) }
        #expect(taken.count <= 4)
        #expect(taken.last?.to == events.last?.to)
        #expect(taken.reduce(0) { $0 + 1 + $1.skipped } == 100)
        #expect(taken.first?.kind == .snapshot)
        for (before, after) in zip(taken, taken.dropFirst()) { #expect(after.seq == before.seq + 1 + after.skipped) }
    }

    @Test("is told of a transition as one, of a repair, and of every target that went down meanwhile")
    func coalescedTargets() throws {
        var world = try Simulation(targets: (0..<300).map { "t\($0)" })
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(120)) { _ in .success }
        let before = world.events.count
        for number in [7, 8, 9] {
            world.live(.seconds(120)) { probe in
                (7...number).contains { "t\($0)" == probe.target.name } ? .failure : .success
            }
        }
        let news = world.events.dropFirst(before)
        #expect(news.map(\.kind) == [.transition, .target, .target])
        var last = try #require(news.last)
        last.resync = false
        var first = try #require(news.first)
        first.resync = true
        let event = last.standing(for: [first] + news.dropFirst().dropLast())
        #expect(event.kind == .transition)
        #expect(event.from == first.from)
        #expect(event.to == last.to)
        #expect(event.resync)
        #expect(event.skipped == 2)
        #expect(Set(event.targets.map(\.target)) == ["t7", "t8", "t9"])
        #expect(event.targets.allSatisfy { $0.status == .down })
        #expect(event.probes.count == 3)
        #expect(!event.othersUnknown)
        // A snapshot tells them all, and still does where it stands for more.
        var forgotten = last
        forgotten.targets = []
        forgotten.othersUnknown = true
        let snapshot = last.standing(for: [world.reducer.snapshot(at: .now), forgotten])
        #expect(snapshot.kind == .snapshot)
        #expect(snapshot.targets.count == 300)
        #expect(!snapshot.othersUnknown)
        #expect(snapshot.targets.filter { $0.status != .unknown } == last.targets)
        #expect(snapshot.probes == last.probes)
        // What was known before it was forgotten is not told any more.
        let later = last.standing(for: [first, forgotten])
        #expect(later.othersUnknown)
        #expect(later.targets.first { $0.target == "t7" }?.status == .unknown)
        #expect(later.targets.last?.status == .down)
    }

    @Test("leads from where a result was that stands first, which has changed nothing itself")
    func coalescedResults() throws {
        var world = try Simulation(targets: ["t0"])
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(30)) { _ in .success }
        let before = try #require(world.events.last)
        let probe = try #require(before.probes.last ?? world.reducer.snapshot(at: .now).probes.last)
        world.path(.gone)
        let transition = try #require(world.events.last)
        #expect(transition.kind == .transition)
        let event = transition.standing(for: [before.result(probe, at: .now), before.result(probe, at: .now)])
        #expect(event.kind == .transition)
        #expect(event.from == before.to && event.to == transition.to)
    }

    @Test("is not behind for what comes at one stroke, of which nothing could be taken before the rest")
    func company() throws {
        let mailbox = Mailbox<SharedEvent>(capacity: 8)
        for event in try events(50) { _ = mailbox.enter(SharedEvent(event), among: 50) }
        var count = 0
        while mailbox.take() != nil { count += 1 }
        #expect(count == 50)
        for event in try events(80).dropFirst(50) { _ = mailbox.enter(SharedEvent(event)) }
        var kept: [SharedEvent] = []
        while let event = mailbox.take() { kept.append(event) }
        #expect(kept.count <= 8)
    }

    @Test("loses nothing while there is room")
    func room() throws {
        let mailbox = Mailbox<SharedEvent>(capacity: 64)
        let events = try events(50)
        events.forEach { mailbox.put(SharedEvent($0)) }
        #expect((0..<50).compactMap { _ in mailbox.take()?.event } == events)
    }

    @Test("sees no event twice")
    func twice() throws {
        let mailbox = Mailbox<SharedEvent>(capacity: 64)
        let event = try #require(try events(1).first)
        mailbox.put(SharedEvent(event))
        mailbox.put(SharedEvent(event))
        #expect(mailbox.take()?.event == event)
        #expect(mailbox.take()?.event == nil)
    }

    @Test("that is cancelled while it waits gets the end")
    func cancelled() async {
        let mailbox = Mailbox<SharedEvent>(capacity: 4)
        let task = Task { await mailbox.next() }
        task.cancel()
        #expect(await task.value?.event == nil)
    }
    @Test("read by several tasks gives each value to one of them, and the end to all")
    func severalTasks() async throws {
        let mailbox = Mailbox<SharedEvent>(capacity: 8)
        var tasks: [Task<Event?, Never>] = []
        for count in 1...3 {
            tasks.append(Task { await mailbox.next()?.event })
            try await expectSoon("reader \(count)") { mailbox.state.withLock { $0.waiting.count } == count }
        }
        let events = try events(2)
        events.forEach { mailbox.put(SharedEvent($0)) }
        #expect(await tasks[0].value == events[0])
        #expect(await tasks[1].value == events[1])
        mailbox.finish()
        #expect(await tasks[2].value == nil)
    }
}
