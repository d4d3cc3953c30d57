import EventLoop
import Netlink
import Synchronization
import SystemPackage

/// The drivers, asked for their carrier again and again for a while after an event, and for their speed.
///
/// A question waits for the kernel's lock on all network devices (`rtnl`), for milliseconds while links come and go by the
/// hundred. It is asked on a thread of its own, so that no news has to wait behind it; and that thread asks again by itself,
/// so that the monitor's is woken by news only.
final class CarrierOracle: Sendable {
    private let socket: CarrierSocket
    /// Begun with the first question.
    private let thread = Mutex<EventLoop?>(nil)
    /// Links whose driver cannot tell, or means something else by carrier than the kernel. They are not asked again while
    /// they live under this name, which may be another link's later.
    private let silent = Mutex<Set<CarrierQuestion.Link>>([])
    private let rounds: Mutex<CarrierRounds>

    /// - Parameter pollInterval: How often the drivers are asked while nothing happens; nil for never.
    init(pollInterval: Duration?) throws(NetlinkError) {
        socket = try CarrierSocket()
        rounds = Mutex(CarrierRounds(CarrierWatch(pollInterval: pollInterval)))
    }

    // MARK: Carriers

    /// Whether each question has been asked at least once, and its answer taken.
    var isSettled: Bool { rounds.withLock { $0.isSettled } }

    /// Whether the drivers are to be asked if there is something to ask.
    var isOpen: Bool { rounds.withLock { $0.isOpen } }

    /// Whether there is a question that they are asked.
    var isUnderWay: Bool { rounds.withLock { $0.isUnderWay } }

    /// Has the drivers asked for a while from now.
    ///
    /// - Returns: Whether there is a question that they are asked.
    func keepAsking(from now: MonotonicTime) -> Bool {
        rounds.withLock { rounds in
            rounds.open(now)
            return rounds.isUnderWay
        }
    }

    /// Has the drivers asked about other links than before, as long as there was an event a short while ago.
    ///
    /// - Parameter time: When they are to be asked first.
    func follow(_ question: CarrierQuestion, at time: MonotonicTime) {
        if let turn = rounds.withLock({ $0.follow(question, at: time) }) { schedule(turn) }
    }

    /// Notes that the answer to a question has been taken.
    func noteTaken() {
        rounds.withLock { $0.isAnswerUnderWay = false }
    }

    /// Asks no more, and answers nothing.
    func end() {
        rounds.withLock { $0.end() }
    }

    private func schedule(_ turn: CarrierRounds.Turn) {
        guard let thread = begin() else { return end() }
        thread.schedule(at: turn.time) { [weak self] in self?.ask(turn) }
    }

    /// Asks about each link once, and sets the time of the next round.
    private func ask(_ turn: CarrierRounds.Turn) {
        guard let question = rounds.withLock({ $0.begin(turn) }) else { return }
        let start = MonotonicTime.now
        var carriers: [UInt32: Bool] = [:]
        for link in question.links { carriers[link.index] = hasCarrier(link) }
        let end = MonotonicTime.now
        let (next, outcome) = rounds.withLock { $0.conclude(question, carriers, from: start, to: end) }
        if case .disputed(let links)? = outcome { silent.withLock { $0.formUnion(links) } }
        if let outcome { question.answer(question.number, outcome) }
        if let next { schedule(next) }
    }

    /// Whether the driver sees carrier; nil where it cannot tell, or where the link is gone already.
    private func hasCarrier(_ link: CarrierQuestion.Link) -> Bool? {
        guard !silent.withLock({ $0.contains(link) }) else { return nil }
        do throws(NetlinkError) {
            return try socket.hasCarrier(link.name)
        } catch {
            if case .refused(_, .notSupportedOnSocket, _) = error { silent.withLock { _ = $0.insert(link) } }
            return nil
        }
    }

    /// Forgets whether a link's driver can tell: the link is gone, or is another one.
    func forget(_ index: UInt32) {
        silent.withLock { links in links = links.filter { $0.index != index } }
    }

    /// Forgets of all but these links whether their drivers can tell.
    func forgetAll(but links: [UInt32: LinkMessage]) {
        silent.withLock { known in known = known.filter { links[$0.index]?.name == $0.name } }
    }

    // MARK: Speeds

    /// Asks for speeds away from the calling thread, and hands over the answers, on another one.
    ///
    /// - Returns: Whether there is a thread to ask on.
    func askSpeeds(
        of links: [LinkMessage], _ answer: @escaping @Sendable (_ speeds: [UInt32: UInt32]) -> Void
    ) -> Bool {
        guard let thread = begin() else { return false }
        thread.schedule(after: .zero) { [self] in answer(speeds(of: links)) }
        return true
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

    private func begin() -> EventLoop? {
        thread.withLock { thread in
            if thread == nil {
                do throws(EventLoopError) { thread = try EventLoop(name: "netwatch-driver") } catch { return nil }
            }
            return thread
        }
    }
}
