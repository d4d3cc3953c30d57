import EventLoop
import Netlink
import Synchronization
import SystemPackage

/// The drivers, asked for their carrier and for their speed.
///
/// A question waits for the kernel's lock on all network devices (`rtnl`), for milliseconds while links come and go by the
/// hundred. It is asked on a thread of its own, so that no news has to wait behind it.
final class CarrierOracle: Sendable {
    private let socket: CarrierSocket
    /// Begun with the first question.
    private let thread = Mutex<EventLoop?>(nil)
    /// Links whose driver cannot tell. They are not asked again while they live under this name.
    private let silent = Mutex<Set<String>>([])

    init() throws(NetlinkError) {
        socket = try CarrierSocket()
    }

    /// Asks away from the calling thread, and hands over the answers, on another one.
    ///
    /// - Parameters:
    ///   - carriers: Whose carrier is asked for.
    ///   - speeds: Whose speed is asked for.
    /// - Returns: Whether there is a thread to ask on.
    func ask(
        carriers: [LinkMessage], speeds: [LinkMessage], _ answer: @escaping @Sendable (DriverAnswers) -> Void
    ) -> Bool {
        guard let thread = begin() else { return false }
        thread.schedule(after: .zero) { [self] in
            let start = MonotonicTime.now
            var answers = DriverAnswers(speeds: self.speeds(of: speeds))
            for link in carriers { answers.carriers[link.index] = hasCarrier(link) }
            answers.time = start.duration(to: .now)
            answer(answers)
        }
        return true
    }

    private func begin() -> EventLoop? {
        thread.withLock { thread in
            if thread == nil {
                do throws(EventLoopError) { thread = try EventLoop(name: "netwatch-driver") } catch { return nil }
            }
            return thread
        }
    }

    /// Megabits a second of these links; 0 where the driver does not know.
    func speeds(of links: [LinkMessage]) -> [UInt32: UInt32] {
        var speeds: [UInt32: UInt32] = [:]
        for link in links {
            do throws(NetlinkError) { speeds[link.index] = try socket.speed(link.name) ?? 0 } catch {
                speeds[link.index] = 0
            }
        }
        return speeds
    }

    /// Whether the driver sees carrier; nil where it cannot tell, or where the link is gone already.
    private func hasCarrier(_ link: LinkMessage) -> Bool? {
        guard !silent.withLock({ $0.contains(link.name) }) else { return nil }
        do throws(NetlinkError) {
            return try socket.hasCarrier(link.name)
        } catch {
            if case .refused(_, .notSupportedOnSocket, _) = error { silent.withLock { _ = $0.insert(link.name) } }
            return nil
        }
    }
}

/// What drivers said.
struct DriverAnswers: Sendable {
    var carriers: [UInt32: Bool] = [:]
    /// Megabits a second; 0 where the driver does not know.
    var speeds: [UInt32: UInt32]
    /// How long they took.
    var time = Duration.zero

    init(speeds: [UInt32: UInt32]) {
        self.speeds = speeds
    }
}

/// What drivers are being asked.
struct DriverQuestion {
    /// The links of which they were asked for the carrier.
    let links: [LinkMessage]
    /// The links of which the kernel has told something since.
    var outdated: Set<UInt32> = []
}
