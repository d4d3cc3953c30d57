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
        case .disputed:
            // The kernel has had time enough: it is right, and the driver means something else by carrier.
            session.reducer.surroundings.carriers = [:]
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
