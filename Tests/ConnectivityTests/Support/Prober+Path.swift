import EventLoop
import Reachability

@testable import Connectivity
@testable import Probing

extension Prober {
    /// Has it probe by the path as it is now in its loop's network namespace.
    func usePresentPath() async throws {
        let monitor = PathMonitor(loop: loop)
        let path = try await monitor.start()
        await monitor.stop()
        use(path)
    }
}
