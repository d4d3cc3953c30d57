import EventLoop
import Netlink
import Synchronization

extension PathMonitor {
    /// Asks the kernel now, or as soon as the pace of a storm allows.
    func evaluateWhenDue() {
        guard let session else { return }
        let now = MonotonicTime.now
        let due = session.pace.due(now)
        guard due > now else { return evaluate() }
        schedule(at: due)
    }

    private func schedule(at time: MonotonicTime?) {
        session?.schedule(at: time, on: loop) { [weak self] in
            self?.assumeIsolated { $0.evaluate() }
        }
    }

    /// Asks the kernel, and publishes what has become of the path.
    private func evaluate() {
        guard let session else { return }
        repairIfDue()
        let start = MonotonicTime.now
        session.oracle.isThorough = session.pace.isLastConfirmation
        do throws(NetlinkError) {
            conclude(try derive(session), at: start)
        } catch {
            counts.withLock { $0.failures += 1 }
            schedule(at: session.pace.nextConfirmation(start))
        }
        session.pace.evaluated(from: start, to: .now)
        counts.withLock { $0.lookups = session.oracle.lookups }
        showListening()
        if let next = self.session?.repair.next { schedule(at: max(next, .now)) }
    }

    /// Derives the path from the kernel's answers. Where they have changed, the message that says why is read first: the
    /// kernel answers by a new route before it tells of it.
    private func derive(_ session: Session) throws(NetlinkError) -> DerivedPath {
        counts.withLock { $0.evaluations += 1 }
        if session.carrierWatch.isOpen { askCarriers() }
        let derived = try session.derive()
        guard derived.path != session.reducer.current, readNews() else { return derived }
        counts.withLock { $0.evaluations += 1 }
        return try session.derive()
    }

    private func conclude(_ derived: DerivedPath, at now: MonotonicTime) {
        guard let session else { return }
        if derived.isTransient, let retry = session.pace.nextRetry(now) { return schedule(at: retry) }
        session.pace.settled()
        if let update = session.conclude(derived.path, at: now) { publish(update) }
        // A handler may have stopped the monitor.
        schedule(at: self.session?.pace.nextConfirmation(now, isUnfinished: derived.isTransient))
        scheduleExpiry(now)
    }

    /// Looks again when a route expires. A router's next advertisement prolongs it without a message: then it is looked at
    /// once in a lifetime.
    private func scheduleExpiry(_ now: MonotonicTime) {
        guard let session else { return }
        // The seconds are rounded down.
        let expiry = session.oracle.secondsLeft.map { now.advanced(by: .seconds($0 + 1)) }
        session.scheduleExpiry(at: expiry, on: loop) { [weak self] in
            self?.assumeIsolated { $0.evaluateWhenDue() }
        }
    }

    /// Tells everybody.
    func publish(_ update: PathUpdate) {
        counts.withLock { $0.updates += 1 }
        broadcast.send(update)
        for handler in observers.values { handler(update) }
    }
}
