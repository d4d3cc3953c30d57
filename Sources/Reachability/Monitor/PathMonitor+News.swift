import EventLoop
import Netlink
import Synchronization
import SystemPackage

extension PathMonitor {
    /// Reads the state, derives the first path, and listens from there on.
    func begin() throws(NetlinkError) {
        guard let session else { return }
        let start = MonotonicTime.now
        try read(session, because: nil, from: start)
        try watchDescriptors(of: session)
        listenToWirelessIfOutdated(session)
        _ = session.surveyWays(all: true)
        var derived = try session.derive()
        if session.learnSpeeds() { derived = try session.derive() }
        showListening()
        if let update = session.conclude(derived.path, at: .now) { publish(update) }
        watchCarriers(.now)
        evaluateWhenDue()
    }

    private func watchDescriptors(of session: MonitorSession) throws(NetlinkError) {
        session.newsWatch = try watch(session.notifications.descriptor) { $0.drain() }
        try watch(session.resumeClock.descriptor) { $0.readResumeClock() }
        if let descriptor = session.nameServers.descriptor { try watch(descriptor) { $0.readNameServers() } }
        try watchWireless(of: session)
    }

    private func watchWireless(of session: MonitorSession) throws(NetlinkError) {
        guard let descriptor = session.wirelessNews?.descriptor else { return }
        session.wirelessWatch = try watch(descriptor) { $0.readWirelessNews() }
    }

    /// Listens anew to Wi-Fi where that is due. What was refused a moment ago is not tried again with each message.
    private func listenToWirelessIfOutdated(_ session: MonitorSession) {
        guard session.isWirelessOutdated, session.retryTimer == nil, !session.watches.isEmpty else { return }
        listenToWirelessAgain(session)
    }

    /// Listens anew to Wi-Fi once its first driver has come, or another one in its place: the groups of the one that is gone
    /// are gone with it.
    private func listenToWirelessAgain(_ session: MonitorSession) {
        session.isWirelessOutdated = false
        if let watch = session.wirelessWatch.take() {
            loop.end(watch)
            session.watches.removeAll { $0 == watch }
        }
        // It hears nothing that counts any more, and its descriptor may be the only one left for the new one.
        session.wirelessNews = nil
        var isRefused = false
        do throws(NetlinkError) {
            session.wirelessNews = try WirelessNotificationSocket()
            try watchWireless(of: session)
        } catch {
            session.wirelessNews = nil
            isRefused = true
        }
        // No message told of what came between the question before and now.
        session.reducer.surroundings.wireless = session.inspector.wirelessInterfaces()
        // Without a device there is nothing to hear, and the next one asks for it anew.
        guard isRefused, !session.reducer.surroundings.wireless.isEmpty else { return }
        session.isWirelessOutdated = true
        retryLater(session)
    }

    private func retryLater(_ session: MonitorSession) {
        session.scheduleRetry(on: loop) { [weak self] in self?.assumeIsolated { $0.retryRefused() } }
    }

    /// Tries again what was refused for want of descriptors or memory.
    private func retryRefused() {
        guard let session else { return }
        session.retryTimer = nil
        let known = session.reducer.surroundings.wireless
        if session.isWirelessOutdated {
            // While the kernel's news is not heard, nothing is watched.
            if session.watches.isEmpty { retryLater(session) } else { listenToWirelessAgain(session) }
        }
        let isNews = session.reducer.surroundings.wireless != known
        if session.areNameServersUnread { readNameServers() }
        if isNews { evaluateWhenDue() }
    }

    @discardableResult
    private func watch(
        _ descriptor: CInt, _ handler: @escaping @Sendable (isolated PathMonitor) -> Void
    ) throws(NetlinkError) -> Watch {
        do throws(EventLoopError) {
            let watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in
                self?.assumeIsolated(handler)
            }
            session?.watches.append(watch)
            return watch
        } catch {
            throw .socket(call: "epoll_ctl", error.errno)
        }
    }

    /// Reads what the kernel has told, and asks again where that could matter.
    private func drain() {
        if readNews() { evaluateWhenDue(isPressing: session?.isPressed ?? true) }
        gatherInStorm()
    }

    /// Leaves news alone for a moment where it comes without end and none of it is about the path: what a wake-up costs is
    /// spent on many messages then.
    private func gatherInStorm() {
        guard let session else { return }
        let rest =
            session.hadNews && session.repair.isDrained ? session.pace.rest(queue: session.receiveBufferSize) : nil
        let next = rest.map { MonotonicTime.now.advanced(by: $0) }
        do throws(EventLoopError) {
            try session.gather(until: next, on: loop) { [weak self] in self?.assumeIsolated { $0.drain() } }
        } catch {
            session.close(on: loop)
            session.repair.need(.failure)
            evaluateWhenDue()
        }
    }

    /// So much news is read before the path is looked at, which takes a millisecond or two.
    private static let newsATurn = 256

    /// Reads what the kernel has told and folds it into the state.
    ///
    /// - Returns: Whether something in it could change the path.
    func readNews() -> Bool {
        guard let session else { return false }
        let now = MonotonicTime.now
        var (messages, irrelevant) = (MessageCounts(), UInt64(0))
        let report = session.notifications.drain(budget: Self.newsATurn) { notification in
            messages.count(notification)
            if !session.apply(notification, at: now) { irrelevant += 1 }
        }
        let dropped = report.overruns > 0 ? droppedBefore + session.droppedMessages : nil
        // Any link's event, of a container too, holds back the kernel's news of the next carrier loss for a second.
        if messages.link > 0 { watchCarriers(now) }
        if report.resyncCause != nil { session.noteLoss() }
        session.repair.need(report.resyncCause)
        session.repair.isDrained = report.isDrained
        session.hadNews = report.received > 0
        if report.resyncCause != nil { showListening() }
        // After that: a reader that sees that news was lost sees that the state is being read anew, too.
        counts.withLock { counts in
            counts.messages.add(messages)
            counts.irrelevantMessages += irrelevant
            counts.note(report)
            if let dropped { counts.droppedMessages = dropped }
        }
        if report.failure != nil { session.close(on: loop) }
        listenToWirelessIfOutdated(session)
        return repairIfDue() || messages.total > irrelevant
    }

    /// Reads the state anew where something was lost, and takes the difference for news. A failed attempt is repeated.
    ///
    /// - Returns: Whether something was or is to be repaired.
    @discardableResult
    func repairIfDue() -> Bool {
        guard let session, session.repair.pending != nil else { return false }
        let start = MonotonicTime.now
        guard let cause = session.repair.due(start) else { return true }
        do throws(NetlinkError) {
            if session.watches.isEmpty { try reopen(session) }
            try read(session, because: cause, from: start)
            counts.withLock { $0.resyncs[cause, default: 0] += 1 }
            showListening()
        } catch {
            session.repair.failed(.now)
            counts.withLock { $0.failures += 1 }
        }
        return true
    }

    /// Listens again after the socket has failed.
    private func reopen(_ session: MonitorSession) throws(NetlinkError) {
        try session.reopen()
        do throws(NetlinkError) { try watchDescriptors(of: session) } catch {
            // One that hears a part would be taken for one that hears all.
            session.close(on: loop)
            throw error
        }
    }

    /// Reads the whole state. What changes interrupted again and again may lack some of them, whose news may have come
    /// before: it is read once more, at the pace of repairs.
    private func read(
        _ session: MonitorSession, because cause: ResyncCause?, from start: MonotonicTime
    ) throws(NetlinkError) {
        let wasInterrupted = try session.read(because: cause)
        if session.areNameServersUnread { retryLater(session) }
        session.repair.succeeded(from: start, to: .now)
        listenToWirelessIfOutdated(session)
        guard wasInterrupted else { return }
        session.repair.need(.interrupted)
        counts.withLock { $0.interruptedDumps += 1 }
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
        if failure != nil { return .failure }
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

/// News from beside rtnetlink: of name servers, of Wi-Fi, and of the host's sleep.
extension PathMonitor {
    func readNameServers() {
        guard let session else { return }
        session.nameServers.drain()
        guard let servers = session.nameServers.read() else {
            // Nothing says that they are others than before.
            session.areNameServersUnread = true
            return retryLater(session)
        }
        session.areNameServersUnread = false
        guard servers != session.reducer.surroundings.nameServers else { return }
        session.reducer.surroundings.nameServers = servers
        session.note(StateChange(.nameServers(servers), previous: nil))
        evaluateWhenDue()
    }

    func readResumeClock() {
        if let slept = session?.resumeClock.drain() { resume(after: slept) }
    }

    /// Reads everything anew after the host was asleep: what happened meanwhile outside of it, no message tells.
    package func resume(after slept: Duration) {
        guard let session else { return }
        session.recorder.record(.asleep(slept), at: .now)
        session.reducer.noteSleep(slept)
        session.repair.need(.resume)
        showListening()
        watchCarriers(.now)
        evaluateWhenDue()
    }

    /// Association and roaming, which rtnetlink does not tell, or not in full.
    func readWirelessNews() {
        guard let session else { return }
        var news: [(index: UInt32, event: WirelessNotification.Event)] = []
        let report = session.wirelessNews?.drain { notification in
            if let index = notification.index { news.append((index, notification.event)) }
        }
        guard !news.isEmpty || report?.needsResync == true else { return }
        session.reducer.surroundings.wireless = session.inspector.wirelessInterfaces()
        for (index, event) in news {
            let link = session.reducer.state.links[index]
            session.note(StateChange(.wireless(index: index, event), previous: link))
        }
        watchCarriers(.now)
        evaluateWhenDue()
    }
}
