import Broadcast
import EventLoop
import Testing

@testable import Reachability

@Suite("Updates of the path, handed to readers")
struct UpdateBroadcastTests {
    private func update(_ number: Int) -> PathUpdate {
        PathUpdate(
            previous: .unknown, path: .unknown, cause: Cause(kind: .link, description: "\(number)"),
            isResync: number == 3, time: .now)
    }

    @Test("come one by one while there is room, and then as one that counts those it stands for")
    func bounded() async {
        let broadcast = UpdateBroadcast()
        let mailbox = broadcast.subscribe()
        for number in 0..<16 { _ = broadcast.send(update(number)) }
        #expect(mailbox.take()?.cause.description == "0")
        for number in 16..<18 { _ = broadcast.send(update(number)) }
        let all = mailbox.take()
        #expect(all?.cause.description == "17")
        #expect(all?.skipped == 16)
        #expect(all?.isResync == true)
        #expect(mailbox.take() == nil)
    }

    @Test("end with the monitor's run, after what was not read yet")
    func ended() async {
        let broadcast = UpdateBroadcast()
        var iterator = PathUpdates(broadcast: broadcast).makeAsyncIterator()
        _ = broadcast.send(update(1))
        broadcast.finish()
        #expect(await iterator.next()?.cause.description == "1")
        #expect(await iterator.next() == nil)
        // The next run may begin: a reader waits for it, with the path last known before it.
        var later = PathUpdates(broadcast: broadcast).makeAsyncIterator()
        #expect(await later.next()?.cause.description == "1")
        broadcast.close()
        #expect(await later.next() == nil)
        var last = PathUpdates(broadcast: broadcast).makeAsyncIterator()
        #expect(await last.next()?.cause.description == "1")
        #expect(await last.next() == nil)
    }

    @Test("are kept for no reader that was let go")
    func letGo() {
        var readers = Readers<PathUpdate>()
        let kept = Mailbox<PathUpdate>(capacity: 1)
        readers.add(kept)
        do { readers.add(Mailbox<PathUpdate>(capacity: 1)) }
        #expect(readers.mailboxes.count == 1)
        #expect(readers.removeAll().first === kept)
        #expect(readers.mailboxes.isEmpty)
    }
}
