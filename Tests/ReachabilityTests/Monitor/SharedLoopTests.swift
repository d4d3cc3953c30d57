import EventLoop
import Reachability
import Testing

@Suite("A monitor without a loop of its own")
struct SharedLoopTests {
    @Test("runs on the one that all share, and knows the path at once")
    func shared() async throws {
        let monitor = try PathMonitor()
        let path = try await monitor.start()
        #expect(path == monitor.currentPath)
        await monitor.stop()
        #expect(try EventLoop.shared() === EventLoop.shared())
    }
}
