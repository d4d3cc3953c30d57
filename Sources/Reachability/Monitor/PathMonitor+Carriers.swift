import EventLoop
import Netlink

extension PathMonitor {
    /// Asks the drivers of all uplinks for their carrier, now and for a second from now.
    ///
    /// For callers that have a reason to doubt it which the kernel does not tell of: a failed probe, a silent gateway.
    public func checkCarriers() {
        watchCarriers(.now)
        evaluateWhenDue()
    }

    /// Begins to ask the drivers, or goes on with it from now.
    func watchCarriers(_ now: MonotonicTime) {
        guard let session else { return }
        let wasOpen = session.carrierWatch.isOpen
        session.carrierWatch.open(now)
        if !wasOpen { scheduleCarriers(now) }
    }

    private func scheduleCarriers(_ now: MonotonicTime) {
        guard let session else { return }
        let isDisputed = !session.reducer.surroundings.carriers.isEmpty
        let next = session.carrierWatch.next(now, isDisputed: isDisputed, spent: session.driverTime)
        session.scheduleCarriers(at: next, on: loop) { [weak self] in
            self?.assumeIsolated { $0.askAgain() }
        }
        // The kernel has had time enough: it is right, and the driver means something else by carrier.
        if isDisputed, !session.carrierWatch.isOpen, session.carrierWatch.pollInterval == nil {
            session.reducer.surroundings.carriers = [:]
            evaluateWhenDue()
        }
    }

    private func askAgain() {
        askDrivers()
        scheduleCarriers(.now)
    }

    /// Asks the drivers for what only they know, unless they are being asked. Nothing waits for the answers: they are news.
    func askDrivers() {
        guard let session, session.question == nil, session.driversRestUntil <= .now else { return }
        let links = session.carrierWatch.isOpen || session.carrierWatch.pollInterval != nil ? session.questionable : []
        let speedless = session.speedless
        guard !links.isEmpty || !speedless.isEmpty else { return }
        let oracle = session.carriers
        let isAsked = oracle.ask(carriers: links, speeds: speedless) { [weak self, weak oracle, loop] answers in
            loop.schedule(after: .zero) { [weak self, weak oracle] in
                self?.assumeIsolated { monitor in
                    // The monitor may have been started anew meanwhile.
                    guard let oracle, monitor.session?.carriers === oracle else { return }
                    monitor.take(answers)
                }
            }
        }
        if isAsked { session.question = DriverQuestion(links: links) }
    }

    private func take(_ answers: DriverAnswers) {
        guard let session, let question = session.question else { return }
        session.question = nil
        session.note(driverTime: answers.time)
        var isNews = session.learn(speeds: answers.speeds)
        for link in question.links where !question.outdated.contains(link.index) {
            let isLost = answers.carriers[link.index] == false
            guard isLost != (session.reducer.surroundings.carriers[link.index] == false) else { continue }
            session.reducer.surroundings.carriers[link.index] = isLost ? false : nil
            session.note(StateChange(carrier: !isLost, of: link))
            isNews = true
        }
        if isNews { evaluateWhenDue() }
    }
}
