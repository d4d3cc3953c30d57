import Reachability
import Testing

@testable import Connectivity

@Suite("A slow reader")
struct MailboxTests {
    private func events(_ count: Int) throws -> [Event] {
        var world = try Simulation(targets: [])
        for number in 0..<count { world.path(number.isMultiple(of: 2) ? .by("eth0") : .gone) }
        return world.events
    }

    @Test("finds the latest state, with the number of events it stands for")
    func coalesced() async throws {
        let mailbox = Mailbox(capacity: 4)
        let events = try events(100)
        events.forEach { mailbox.put($0) }
        var taken: [Event] = []
        while let event = mailbox.take() { taken.append(event) }
        #expect(taken.count <= 4)
        #expect(taken.last?.to == events.last?.to)
        #expect(taken.reduce(0) { $0 + 1 + $1.skipped } == 100)
        #expect(taken.first?.kind == .snapshot)
        for (before, after) in zip(taken, taken.dropFirst()) { #expect(after.seq == before.seq + 1 + after.skipped) }
    }

    @Test("loses nothing while there is room")
    func room() throws {
        let mailbox = Mailbox(capacity: 64)
        let events = try events(50)
        events.forEach { mailbox.put($0) }
        #expect((0..<50).compactMap { _ in mailbox.take() } == events)
    }

    @Test("sees no event twice")
    func twice() throws {
        let mailbox = Mailbox(capacity: 64)
        let event = try #require(try events(1).first)
        mailbox.put(event)
        mailbox.put(event)
        #expect(mailbox.take() == event)
        #expect(mailbox.take() == nil)
    }

    @Test("that is cancelled while it waits gets the end")
    func cancelled() async {
        let mailbox = Mailbox(capacity: 4)
        let task = Task { await mailbox.next() }
        task.cancel()
        #expect(await task.value == nil)
    }
}
