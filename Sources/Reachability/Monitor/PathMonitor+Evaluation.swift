import EventLoop
import Netlink
import Synchronization

extension PathMonitor {
    /// Asks the kernel now, or as soon as the pace of a storm allows.
    ///
    /// - Parameter isPressing: Whether something that may be about the path has changed.
    func evaluateWhenDue(isPressing: Bool = true) {
        guard let session else { return }
        let now = MonotonicTime.now
        let due = session.pace.due(now, isPressing: isPressing)
        guard due > now else { return evaluateChange(now) }
        if let next = session.nextEvaluation, next <= due { return }
        session.schedule(at: due, on: loop) { [weak self] in
            self?.assumeIsolated { $0.evaluateChange(.now) }
        }
    }

    private func evaluateChange(_ now: MonotonicTime) {
        evaluate(now)
        session?.pace.evaluated(from: now, to: .now)
    }

    /// Looks at everything again later; not, where the time is nil.
    private func lookAgain(at time: MonotonicTime?) {
        session?.schedule(at: time, on: loop) { [weak self] in
            self?.assumeIsolated { $0.evaluate(.now) }
        }
    }

    /// Asks the kernel, and publishes what has become of the path.
    private func evaluate(_ now: MonotonicTime) {
        guard let session else { return }
        repairIfDue()
        session.oracle.isThorough = session.pace.isLastConfirmation
        do throws(NetlinkError) {
            conclude(try derive(session), at: now)
        } catch {
            counts.withLock { $0.failures += 1 }
            lookAgain(at: session.pace.nextAttempt(now))
        }
        // A handler may have stopped the monitor, which has added these to what was before.
        if self.session === session {
            let lookups = lookupsBefore + session.oracle.answers.count
            counts.withLock { $0.lookups = lookups }
        }
        showListening()
        if let session = self.session, let next = session.repair.next {
            // A look that is due sooner comes by here again.
            let repair = max(next, .now)
            lookAgain(at: min(session.nextEvaluation ?? repair, repair))
        }
        askBesides()
    }

    /// Asks what the path just told does not have to wait for.
    private func askBesides() {
        guard let session else { return }
        askDrivers()
        session.scheduleSurvey(on: loop) { [weak self] in self?.assumeIsolated { $0.surveyWays() } }
    }

    private func surveyWays() {
        guard let session else { return }
        if session.surveyWays() { evaluateWhenDue(isPressing: false) }
        session.scheduleSurvey(on: loop) { [weak self] in self?.assumeIsolated { $0.surveyWays() } }
    }

    /// Derives the path from the kernel's answers. Where they have changed, the message that says why is read first: the
    /// kernel answers by a new route before it tells of it. What that reading brings of other links in a storm waits for
    /// the confirmation, which follows each change.
    private func derive(_ session: MonitorSession) throws(NetlinkError) -> DerivedPath {
        counts.withLock { $0.evaluations += 1 }
        let derived = try session.derive()
        guard derived.path != session.reducer.current, readNews(), session.isPressed || !session.pace.isStorm else {
            return derived
        }
        counts.withLock { $0.evaluations += 1 }
        return try session.derive()
    }

    private func conclude(_ derived: DerivedPath, at now: MonotonicTime) {
        guard let session else { return }
        if derived.isTransient, let retry = session.pace.nextRetry(now) {
            return lookAgain(at: retry)
        }
        if !session.reducer.isExplained(derived.path, at: now), let retry = session.pace.nextListening(now) {
            return lookAgain(at: retry)
        }
        session.pace.settled()
        if let update = session.conclude(derived.path, at: now) {
            session.pace.concluded(now, isNews: true)
            publish(update)
        } else {
            session.pace.concluded(now, isNews: false)
        }
        // A handler may have stopped the monitor.
        let next = self.session?.pace.nextConfirmation(now, isUnfinished: derived.isTransient)
        if next == nil { self.session?.noteQuiet() }
        lookAgain(at: next)
        scheduleExpiry(now)
    }

    /// How much later than it says a route expires at most: the kernel counts in clock ticks, and tells hundredths.
    private static let expiryTolerance = Duration.milliseconds(20)

    /// Looks again when a route expires. A router's next advertisement prolongs it without a message: then it is looked at
    /// once in a lifetime.
    private func scheduleExpiry(_ now: MonotonicTime) {
        guard let session else { return }
        let expiry = session.oracle.answers.remaining.map { now.advanced(by: $0 + Self.expiryTolerance) }
        session.scheduleExpiry(at: expiry, on: loop) { [weak self] in
            self?.assumeIsolated { $0.evaluateWhenDue() }
        }
    }

    /// Tells the handlers, then the readers.
    func publish(_ update: PathUpdate) {
        counts.withLock { $0.updates += 1 }
        // What only this monitor holds of the update before is freed when the new one has been told.
        let last = broadcast.send(update)
        defer { withExtendedLifetime(last) {} }
        // A handler may stop the monitor, or start it anew.
        let session = session
        for observer in observers where self.session === session { observer.handler(update) }
    }
}

// MARK: Carriers

extension PathMonitor {
    /// Asks the drivers of all uplinks for their carrier, now and for a second from now.
    ///
    /// For callers that have a reason to doubt it which the kernel does not tell of: a failed probe, a silent gateway.
    public func checkCarriers() {
        watchCarriers(.now)
        evaluateWhenDue()
    }

    /// Begins to have the drivers asked, or goes on with it from now.
    func watchCarriers(_ now: MonotonicTime) {
        guard let session else { return }
        let isUnderWay = session.carriers.keepAsking(from: now)
        // Which links are in use is known after the evaluation.
        if !isUnderWay || session.question?.outdated.isEmpty == false {
            followCarriers(at: now.advanced(by: CarrierWatch.interval))
        }
    }

    /// Has the drivers of the links in use asked, where those are others than before, and for speeds that are not known.
    /// Nothing waits for the answers: they are news.
    func askDrivers() {
        guard let session else { return }
        // In a storm their thread is left to its rounds, a few milliseconds later: to wake it costs more than the asking.
        followCarriers(at: session.pace.isStorm ? .now.advanced(by: CarrierWatch.interval) : .now)
        askSpeeds()
    }

    private func followCarriers(at time: MonotonicTime) {
        guard let session, session.carriers.isOpen else { return }
        let oracle = session.carriers
        let question = session.nextCarrierQuestion { [weak self, weak oracle, loop] number, outcome in
            loop.schedule(after: .zero) { [weak self, weak oracle] in
                self?.assumeIsolated { monitor in
                    // The monitor may have been started anew meanwhile.
                    guard let oracle, monitor.session?.carriers === oracle else { return }
                    oracle.noteTaken()
                    monitor.take(outcome, of: number)
                }
            }
        }
        if let question { oracle.follow(question, at: time) }
    }

    private func take(_ outcome: CarrierQuestion.Outcome, of number: UInt64) {
        guard let session, let question = session.endCarrierQuestion(number) else { return followCarriers(at: .now) }
        switch outcome {
        case .carriers(let carriers):
            if session.learn(carriers, of: question) { evaluateWhenDue() } else { followCarriers(at: .now) }
        case .disputed(let links):
            // The kernel has had time enough: it is right, and these drivers mean something else by carrier.
            for link in links where session.reducer.surroundings.carriers[link.index] != nil {
                session.reducer.surroundings.carriers[link.index] = nil
                guard let message = session.reducer.state.links[link.index] else { continue }
                session.note(StateChange(carrier: true, of: message))
            }
            evaluateWhenDue()
        }
    }

    private func askSpeeds() {
        guard let session, !session.isAskingSpeeds else { return }
        let links = session.speedless
        guard !links.isEmpty else { return }
        let oracle = session.carriers
        session.isAskingSpeeds = oracle.askSpeeds(of: links) { [weak self, weak oracle, loop] speeds in
            loop.schedule(after: .zero) { [weak self, weak oracle] in
                self?.assumeIsolated { monitor in
                    guard let oracle, let session = monitor.session, session.carriers === oracle else { return }
                    session.isAskingSpeeds = false
                    if session.learn(speeds: speeds) { monitor.evaluateWhenDue() }
                }
            }
        }
    }
}
