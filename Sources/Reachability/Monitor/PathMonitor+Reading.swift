import EventLoop
import Netlink
import Synchronization
import SystemPackage

extension PathMonitor {
    /// Reads the state, derives the first path, and listens from there on.
    func begin() throws(NetlinkError) {
        guard let session else { return }
        _ = try read(session)
        session.learnAll()
        try watchDescriptors(of: session)
        let derived = try session.derive()
        publish(derived.path, Cause(kind: .start, description: "the monitor has started"), from: .unknown, at: .now)
        watchCarriers(.now)
        evaluateWhenDue()
    }

    private func watchDescriptors(of session: Session) throws(NetlinkError) {
        try watch(session.notifications.descriptor) { $0.drain() }
        try watch(session.resumeClock.descriptor) { $0.readResumeClock() }
        try watch(session.nameServers.descriptor) { $0.readNameServers() }
        if let descriptor = session.wirelessNews?.descriptor { try watch(descriptor) { $0.readWirelessNews() } }
    }

    private func watch(
        _ descriptor: CInt, _ handler: @escaping @Sendable (isolated PathMonitor) -> Void
    ) throws(NetlinkError) {
        do throws(EventLoopError) {
            let watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in
                self?.assumeIsolated(handler)
            }
            session?.watches.append(watch)
        } catch {
            throw .socket(call: "epoll_ctl", error.errno)
        }
    }

    /// Reads what the kernel has told, and asks again where that could matter.
    private func drain() {
        if readNews() { evaluateWhenDue() }
    }

    /// Reads what the kernel has told and folds it into the state.
    ///
    /// - Returns: Whether something in it could change the path.
    func readNews() -> Bool {
        guard let session else { return false }
        let now = MonotonicTime.now
        var relevant = 0
        var statistics = counts.withLock { $0 }
        let report = session.notifications.drain { notification in
            statistics.messages.count(notification)
            guard let change = session.apply(notification) else {
                statistics.irrelevantMessages += 1
                return
            }
            relevant += 1
            session.explanation.add(change, at: now)
        }
        statistics.note(report)
        let linkMessages = counts.withLock { counts in
            defer { counts = statistics }
            return statistics.messages.link - counts.messages.link
        }
        // Any link's event, of a container too, holds back the kernel's news of the next carrier loss for a second.
        if linkMessages > 0 { watchCarriers(now) }
        session.pendingResync = session.pendingResync ?? report.resyncCause
        session.isDrained = report.isDrained
        return repairIfNeeded() || relevant > 0
    }

    /// Reads the state anew where something was lost, and takes the difference for news.
    ///
    /// Until its queue has been read empty the kernel drops what comes, so that reading anew before would lose that for
    /// good. A failed attempt is repeated with the next evaluation.
    ///
    /// - Returns: Whether there was something to repair.
    @discardableResult
    func repairIfNeeded() -> Bool {
        guard let session, session.isDrained, let cause = session.pendingResync else { return false }
        do throws(NetlinkError) {
            let changes = try read(session)
            session.learnAll()
            session.pendingResync = nil
            session.isResynced = true
            let now = MonotonicTime.now
            for change in changes { session.explanation.add(change, at: now) }
            counts.withLock { $0.resyncs[cause, default: 0] += 1 }
        } catch {
            counts.withLock { $0.failures += 1 }
        }
        return true
    }

    private func read(_ session: Session) throws(NetlinkError) -> [StateChange] {
        let (snapshot, wasInterrupted) = try session.oracle.snapshot()
        if wasInterrupted { counts.withLock { $0.interruptedDumps += 1 } }
        return session.state.replace(with: snapshot)
    }
}

extension MonitorStatistics {
    mutating func note(_ report: DrainReport) {
        overruns += UInt64(report.overruns)
        truncatedMessages += UInt64(report.truncated)
        malformedMessages += UInt64(report.malformedCount)
        foreignMessages += UInt64(report.foreign)
    }
}

extension DrainReport {
    var resyncCause: ResyncCause? {
        if overruns > 0 { return .overrun }
        if truncated > 0 { return .truncated }
        return malformedCount > 0 ? .malformed : nil
    }
}

extension EventLoopError {
    /// What the kernel said.
    var errno: Errno {
        switch self {
        case .setup(_, let errno), .watch(_, let errno), .namespace(let errno): errno
        case .shutDown: .badFileDescriptor
        }
    }
}
