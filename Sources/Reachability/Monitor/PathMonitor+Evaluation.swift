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
        repairIfNeeded()
        let start = MonotonicTime.now
        do throws(NetlinkError) {
            conclude(try derive(session), at: start)
        } catch {
            counts.withLock { $0.failures += 1 }
            schedule(at: session.pace.nextConfirmation(start))
        }
        session.pace.evaluated(from: start, to: .now)
        counts.withLock { $0.lookups = session.oracle.lookups }
    }

    /// Derives the path from the kernel's answers. Where they have changed, the message that says why is read first: the
    /// kernel answers by a new route before it tells of it.
    private func derive(_ session: Session) throws(NetlinkError) -> DerivedPath {
        counts.withLock { $0.evaluations += 1 }
        if session.carrierWatch.isOpen { askCarriers() }
        let derived = try session.derive()
        guard derived.path != currentPath, readNews() else { return derived }
        counts.withLock { $0.evaluations += 1 }
        return try session.derive()
    }

    private func conclude(_ derived: DerivedPath, at now: MonotonicTime) {
        guard let session else { return }
        if derived.isTransient, let retry = session.pace.nextRetry(now) { return schedule(at: retry) }
        session.pace.settled()
        tell(derived.path, at: now)
        // A handler may have stopped the monitor.
        schedule(at: self.session?.pace.nextConfirmation(now))
    }

    /// Publishes a path if it differs from the one before. After a sleep it is published in any case, since whatever else
    /// was known of the network is old.
    private func tell(_ path: Path, at now: MonotonicTime) {
        guard let session else { return }
        defer {
            session.isResynced = false
            session.slept = nil
            session.explanation.spend()
        }
        guard path != currentPath || session.slept != nil else { return }
        let time = session.explanation.time ?? now
        publish(
            path, session.cause(from: currentPath, to: path), from: currentPath, isResync: session.isResynced, at: time)
    }

    /// Tells everybody.
    func publish(_ path: Path, _ cause: Cause, from previous: Path, isResync: Bool = false, at time: MonotonicTime) {
        let update = PathUpdate(
            previous: previous, path: path, cause: cause, isResync: isResync, time: time)
        counts.withLock { $0.updates += 1 }
        broadcast.send(update)
        for handler in observers.values { handler(update) }
    }
}

extension Session {
    /// Why one path became another.
    fileprivate func cause(from old: Path, to new: Path) -> Cause {
        if let slept { return .resume(after: slept) }
        let explained = explanation.cause(from: old, to: new)
        return isResynced ? .resync(explained) : explained ?? .unannounced
    }
}

extension Cause {
    /// The cause of an update after a sleep.
    static func resume(after slept: Duration) -> Cause {
        Cause(
            kind: .resume, description: "the host was asleep for \(slept.components.seconds) s",
            fields: ["asleep": "\(slept.components.seconds)"])
    }

    /// The cause of an update that comes from a state read anew, with the difference that explains it.
    static func resync(_ explained: Cause?) -> Cause {
        Cause(
            kind: .resync,
            description: "messages were lost and the state was read anew"
                + (explained.map { ": \($0.description)" } ?? ""),
            interface: explained?.interface, fields: explained?.fields ?? [:])
    }

    /// The cause of a change that the kernel sent no message about.
    static let unannounced = Cause(
        kind: .route, description: "the kernel answers otherwise, and has sent no message that says why")
}
