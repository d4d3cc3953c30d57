internal import EventLoop
internal import NetworkAddress

/// An answer that others are asked about before anything is told of it.
struct Inquiry: Sendable {
    enum Kind: Sendable {
        /// Is there a portal, or is it the target's own redirect?
        case portal
        /// Is this host's clock wrong, or one certificate?
        case clock
    }

    let id: UInt64
    let kind: Kind
    let since: MonotonicTime
    var accused: [Int]
    /// The certificates of the accused: many servers show the same one.
    var certificates: Set<String> = []
    var witnesses: Set<Int> = []
    /// Whether there was any other to be asked.
    var hasWitnesses = false
    var agree = 0
    var contradict = 0
}

/// Portals and clocks: what one target alone cannot prove.
extension Assessor {
    mutating func contradict(
        _ target: Int, _ ended: Open, _ reason: Reason, isDateOff: Bool = false, certificate: String? = nil,
        at now: MonotonicTime
    ) {
        let watched = settings.targets[target]
        let kind: Inquiry.Kind = reason == .outOfTime ? .clock : .portal
        if kind == .portal, watched.hasKnownAnswer, watched.transport == .plainHTTP, !hasOtherPlainAnswers(than: target)
        {
            enterPortal(provenBy: target, at: now)
            return planNext(target, at: now)
        }
        guard portalSince == nil || kind == .clock else { return planNext(target, at: now) }
        if kind == .clock, clockSince != nil { return planNext(target, at: now) }
        inquire(kind, about: target, certificate, at: now)
        if kind == .clock, isDateOff { return enterClock(at: now) }
        fail(target, ended, reason, isHeard: true, at: now)
    }

    /// Whether others over plain HTTP are known to be well, so that one that lies is not believed before they were asked.
    private func hasOtherPlainAnswers(than target: Int) -> Bool {
        witnesses(of: .portal, without: target).contains { health(of: $0).status == .up }
    }

    private mutating func inquire(
        _ kind: Inquiry.Kind, about target: Int, _ certificate: String?, at now: MonotonicTime
    ) {
        // What is known to be so of this target alone is not asked again.
        if case .down? = targets[target].known { return }
        targets[target].isHeld = true
        if let known = inquiries.firstIndex(where: { $0.kind == kind }) {
            if !inquiries[known].accused.contains(target) { inquiries[known].accused.append(target) }
            if let certificate { inquiries[known].certificates.insert(certificate) }
            return
        }
        lastInquiry += 1
        var inquiry = Inquiry(id: lastInquiry, kind: kind, since: now, accused: [target])
        if let certificate { inquiry.certificates = [certificate] }
        inquiry.witnesses = Set(witnesses(of: kind, without: target))
        inquiry.hasWitnesses = !inquiry.witnesses.isEmpty
        for witness in inquiry.witnesses.sorted() where targets[witness].ask == nil && !targets[witness].isWaiting {
            look(witness, at: now)
        }
        inquiries.append(inquiry)
        dueQueue.add(.inquiry(lastInquiry), at: now + Rules.contradiction)
    }

    /// Two others that can tell; of those whose right answer is known the first. A host is no witness for itself.
    private func witnesses(of kind: Inquiry.Kind, without target: Int) -> [Int] {
        let transport: Watched.Transport = kind == .clock ? .secure : .plainHTTP
        let own = Set(targets[target].hosts.map { hosts[$0].address })
        let able = settings.targets.indices.filter { other in
            guard other != target, settings.targets[other].transport == transport else { return false }
            if case .down? = targets[other].known { return false }
            return kind == .clock || !targets[other].hosts.contains { own.contains(hosts[$0].address) }
        }
        func rank(_ other: Int) -> Int {
            let watched = settings.targets[other]
            if watched.role == .reference { return 0 }
            return watched.role == .witness ? 3 : targets[other].known == .up ? 1 : 2
        }
        return Array(able.sorted { (rank($0), $0) < (rank($1), $1) }.prefix(2))
    }

    /// Notes what a target that was asked about another one says.
    mutating func witness(_ target: Int, _ answer: Answer, sentAt: MonotonicTime, at now: MonotonicTime) {
        let watched = settings.targets[target]
        if answer == .expected {
            // Over TLS no portal can answer in its place, either.
            let isProof = watched.transport != .other || target == portalWitness
            if let portalSince, sentAt >= portalSince, isProof { leavePortal(at: now) }
            if watched.transport == .secure, clockSince != nil { leaveClock(at: now) }
        }
        for index in inquiries.indices where inquiries[index].witnesses.contains(target) {
            let isSame: Bool? =
                switch (inquiries[index].kind, answer) {
                case (.clock, .outOfTime(_, let certificate?)) where inquiries[index].certificates.contains(certificate):
                    nil
                case (.portal, .elsewhere), (.clock, .outOfTime): true
                case (_, .expected), (.portal, .wrong), (.clock, .wrong): false
                default: nil
                }
            guard let isSame else { continue }
            if isSame { inquiries[index].agree += 1 } else { inquiries[index].contradict += 1 }
            inquiries[index].witnesses.remove(target)
            let inquiry = inquiries[index]
            let isClear = isSame ? inquiry.kind == .clock || inquiry.witnesses.isEmpty : true
            if isClear { dueQueue.add(.inquiry(inquiry.id), at: now) }
        }
    }

    mutating func conclude(_ id: UInt64, at now: MonotonicTime) {
        guard let index = inquiries.firstIndex(where: { $0.id == id }) else { return }
        let inquiry = inquiries[index]
        let isTold = inquiry.agree + inquiry.contradict > 0
        if !isTold, inquiry.witnesses.contains(where: isUnderWay), inquiry.since + .seconds(4) > now {
            return dueQueue.add(.inquiry(id), at: now + .milliseconds(200))
        }
        inquiries.remove(at: index)
        for target in inquiry.accused { targets[target].isHeld = false }
        let isKnown = inquiry.accused.contains {
            settings.targets[$0].hasKnownAnswer && settings.targets[$0].transport == .plainHTTP
        }
        let isPlain = inquiry.accused.contains { settings.targets[$0].transport == .plainHTTP }
        let isProven =
            (inquiry.agree > 0 || (inquiry.kind == .portal && (isKnown || (isPlain && inquiry.hasWitnesses))))
            && (inquiry.contradict == 0 || inquiry.kind == .clock)
        switch inquiry.kind {
        case .portal where isProven: enterPortal(provenBy: inquiry.accused[0], at: now)
        case .clock where isProven: enterClock(at: now)
        default: for target in inquiry.accused { judge(target, at: now) }
        }
    }

    /// Whether a target that was asked may still answer.
    private func isUnderWay(_ target: Int) -> Bool {
        targets[target].ask != nil
            || (targets[target].isWaiting && nameOf[target].map { names[$0].failures.isEmpty } ?? false)
    }

    // MARK: Portal

    private mutating func enterPortal(provenBy target: Int, at now: MonotonicTime) {
        portalWitness = target
        guard portalSince == nil else { return }
        portalSince = now
        isNews = true
        for target in targets.indices { targets[target].forgive() }
        dueQueue.add(.portal, at: now + Rules.portal)
    }

    /// Looks whether a person has logged in.
    mutating func askPortal(at now: MonotonicTime) {
        guard portalSince != nil, let portalWitness else { return }
        portalAskedAt = now
        dueQueue.add(.portal, at: now + Rules.portal)
        if targets[portalWitness].ask == nil, !targets[portalWitness].isWaiting { look(portalWitness, at: now) }
    }

    /// Something of this host's own has got through: perhaps a person has logged in.
    mutating func askPortalSoon(at now: MonotonicTime) {
        guard portalSince != nil, portalAskedAt.map({ $0 + Rules.apart <= now }) ?? true else { return }
        askPortal(at: now)
    }

    private mutating func leavePortal(at now: MonotonicTime) {
        portalSince = nil
        forgetFindings()
        startSweep(at: now)
    }

    // MARK: Clock

    private mutating func enterClock(at now: MonotonicTime) {
        guard clockSince == nil else { return }
        clockSince = now
        isNews = true
        for target in targets.indices where settings.targets[target].transport == .secure {
            targets[target].forgive()
            mark(target)
        }
    }

    private mutating func leaveClock(at now: MonotonicTime) {
        clockSince = nil
        forgetFindings()
        startSweep(at: now)
    }
}
