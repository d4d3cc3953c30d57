import Connectivity
import EventLoop
import Netwatch
import TestSupport
import Testing

@Suite("A monitor that nobody holds any more")
struct MonitorEndTests {
    /// The sequences of a monitor that was started, and let go without a stop.
    private func sequences(
        on loop: EventLoop
    ) async throws -> (events: EventSequence.Iterator, results: AsyncStream<ProbeResult>) {
        let monitor = ConnectivityMonitor(configuration: .withoutProbes, loop: loop)
        let (events, results) = (monitor.events.makeAsyncIterator(), monitor.results)
        try await monitor.start()
        return (events, results)
    }

    @Test(
        "ends its sequences, though it was not stopped",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(1)))
    func sequencesEnd() async throws {
        let namespace = try TestNamespace()
        let loop = try EventLoop(networkNamespace: namespace.descriptor)
        let (begun, results) = try await sequences(on: loop)
        var (events, count) = (begun, 0)
        while await events.next() != nil { count += 1 }
        for await _ in results { count += 1 }
        #expect(count >= 1)
        #expect(!Task.isCancelled, "only the time limit has ended them")
    }
}
