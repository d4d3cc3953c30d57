import Connectivity
import EventLoop
import Reachability
import Testing

@testable import Netwatch
@testable import NetwatchService

@Suite("What a reader of events begins with", .timeLimit(.minutes(1)))
struct EventInboxTests {
    @Test("while a run begins, it is waited for: that nothing is known yet is no beginning")
    func beginning() async throws {
        var configuration = ConnectivityConfiguration()
        configuration.probesEnabled = false
        let monitor = ConnectivityMonitor(configuration: configuration)
        _ = monitor.hub.start(configuration, seed: 1, loop: try EventLoop(name: "test-inbox"))
        let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let inbox = monitor.inbox { ring.yield() }
        // A sign of life is due, and nothing has come.
        ring.yield()
        let first = Task { await inbox.first(bell) }
        await Task.yield()
        let time = MonotonicTime(nanoseconds: 1_000_000_000)
        let update = PathUpdate(
            previous: .unknown, path: .viaEth0, cause: Cause(kind: .start, description: "the test begins"), time: time)
        _ = monitor.hub.reduce(.path(update), at: Instant(monotonic: time, wall: 1_000_000_000))
        let event = await first.value
        #expect(event?.event.seq == 1)
    }

    @Test("a reader that goes before anything is known waits for nothing any more")
    func end() async throws {
        let monitor = ConnectivityMonitor()
        _ = monitor.hub.start(ConnectivityConfiguration(), seed: 1, loop: try EventLoop(name: "test-inbox"))
        let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let inbox = monitor.inbox { ring.yield() }
        ring.finish()
        let event = await inbox.first(bell)
        #expect(event == nil)
    }
}
