import EventLoop
import Netlink

extension PathMonitor {
    /// Asks the drivers of all uplinks for their carrier, now and for a second from now.
    ///
    /// For those who have a reason to doubt it that the kernel does not tell of: a failed probe, a silent gateway.
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
        let next = session.carrierWatch.next(now, isDisputed: isDisputed)
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
        if askCarriers() { evaluateWhenDue() }
        scheduleCarriers(.now)
    }

    /// Asks the drivers beside news of something else, while they are watched.
    func askCarriersBesides() {
        if session?.carrierWatch.isOpen == true, askCarriers() { evaluateWhenDue() }
    }

    /// Asks the drivers of all uplinks that the kernel says have carrier.
    ///
    /// - Returns: Whether one says otherwise than before.
    @discardableResult
    func askCarriers() -> Bool {
        guard let session else { return false }
        var hasChanged = false
        for link in session.uplinks {
            let isLost = session.carriers.hasCarrier(link) == false
            guard isLost != (session.reducer.surroundings.carriers[link.index] == false) else { continue }
            session.reducer.surroundings.carriers[link.index] = isLost ? false : nil
            session.note(StateChange(carrier: !isLost, of: link))
            hasChanged = true
        }
        return hasChanged
    }
}

extension Session {
    /// So many drivers are asked at most, which takes a hundred microseconds.
    private static let askedLimit = 64

    /// The links of the path and those that could take over, as far as the kernel says they have carrier; those first that
    /// could carry traffic now.
    var uplinks: [LinkMessage] {
        let links = listed.compactMap { reducer.state.links[$0] }.filter { $0.flags.contains([.up, .lowerUp]) }
        return Array(links.prefix(Self.askedLimit))
    }
}
