import CKernelFloor
import EventLoop
import Foundation
import Netwatch
import Synchronization

/// From the request that moves the default route to the library's callback: one process, one clock, beside a thread that
/// only blocks in recv(2).
struct CallbackLatency {
    var rounds = 1000

    func measure() async throws -> [Figure] {
        let uplinks = try Uplinks()
        guard let floor = kernel_floor_listen() else { throw BenchmarkError.call("socket(AF_NETLINK)", errno: errno) }
        defer { kernel_floor_stop(floor) }
        let callback = Moment()
        let monitor = PathMonitor(loop: try EventLoop())
        await monitor.onUpdate { callback.note($0) }
        _ = try await monitor.start()
        var times: (ours: [UInt64], floor: [UInt64]) = ([], [])
        for round in 1...rounds {
            usleep(.random(in: 2_000...6_000))
            let heard = kernel_floor_count(floor)
            let target = round % 2
            let sent = try uplinks.moveDefault(to: target)
            times.ours.append(try callback.time(after: sent, of: "w\(target)") - sent)
            while kernel_floor_count(floor) == heard { usleep(50) }
            times.floor.append(kernel_floor_latest(floor) - sent)
        }
        await monitor.stop()
        return figures(Samples(times.ours), Samples(times.floor))
    }

    private func figures(_ ours: Samples, _ floor: Samples) -> [Figure] {
        [(50.0, 50.0), (99.0, 250.0)].map { percent, goal in
            Figure("change to callback", "p\(Int(percent))", ours.percentile(percent) / 1000, "µs")
                .beside("recv in C", floor.percentile(percent) / 1000).aiming(atMost: goal)
        }
    }
}

/// When the callback was last called, and for which interface.
private final class Moment: Sendable {
    private let latest = Mutex<(time: UInt64, interface: String?)>((0, nil))

    func note(_ update: PathUpdate) {
        let time = kernel_floor_now()
        latest.withLock { $0 = (time, update.path.ipv4.interface) }
    }

    func time(after sent: UInt64, of interface: String) throws -> UInt64 {
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline {
            let (time, name) = latest.withLock { $0 }
            if time > sent, name == interface { return time }
            usleep(50)
        }
        throw BenchmarkError.silent("the callback", waitedFor: interface)
    }
}
