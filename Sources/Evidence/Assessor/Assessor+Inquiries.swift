internal import EventLoop
internal import NetworkAddress

/// Portals and clocks: what one target alone cannot prove.
extension Assessor {
    mutating func contradict(
        _ target: Int, _ ended: Open, _ reason: Reason, _ certificate: UntimelyCertificate? = nil, at now: MonotonicTime
    ) {
        let watched = settings.targets[target]
        let kind: Inquiry.Kind = reason == .outOfTime ? .clock : .portal
        // Where nothing leads out no portal can be between.
        if kind == .portal, !network.isReachable {
            return fail(target, ended, reason, isHeard: true, at: now)
        }
        if kind == .portal { portal.meet(at: now) } else { clock.meet(at: now) }
        if kind == .portal, isSure(target), watched.transport == .plainHTTP, !hasOtherPlainAnswers(than: target) {
            enterPortal(provenBy: target, at: now)
            return planNext(target, at: now)
        }
        guard !portal.stands || kind == .clock else { return planNext(target, at: now) }
        if let certificate, isDatedOtherwise([certificate], of: [target]) { enterClock(byDate: true, at: now) }
        if kind == .clock, clock.isWrong { return planNext(target, at: now) }
        inquire(kind, about: target, reason, certificate, at: now)
        fail(target, ended, reason, isHeard: true, at: now)
    }

    /// Whether others over plain HTTP are known to be well, or never lie, so that one that lies is not believed before they were
    /// asked.
    private func hasOtherPlainAnswers(than target: Int) -> Bool {
        witnesses(of: .portal, without: target).contains { health(of: $0).status == .up || isSure($0) }
    }

    private mutating func inquire(
        _ kind: Inquiry.Kind, about target: Int, _ reason: Reason, _ certificate: UntimelyCertificate?,
        at now: MonotonicTime
    ) {
        // What is known to be so of this target alone is not asked again, but now and then: a portal may answer in its place.
        if case .down(_, reason)? = targets[target].known {
            if kind == .portal, portal.seek(after: Rules.portalRecheck, at: now) {
                askForPortal(since: now.advanced(by: .zero - Rules.portalRecheck), at: now)
            }
            return
        }
        guard !inquiries.accuse(target, kind, certificate) else { return }
        let witnesses = Set(witnesses(of: kind, without: target))
        let sealed = kind == .portal ? Set([sealedWitness(besides: target)].compactMap(\.self)) : []
        for witness in witnesses.union(sealed).sorted() where !isBeingAsked(witness) { look(witness, at: now) }
        if kind == .clock, witnesses.count < 2 { askForDate(besides: target, at: now) }
        let id = inquiries.begin(
            kind, accused: target, certificate, witnesses: witnesses, sealed: sealed, at: now)
        dueQueue.add(.inquiry(id), at: now + Rules.contradiction)
    }

    /// One over TLS that may show that there is no portal, which is known to be well where there is such a one.
    private func sealedWitness(besides target: Int) -> Int? {
        let able = settings.targets.indices.filter { other in
            guard other != target, settings.targets[other].transport == .secure, leadsOut(other) else { return false }
            if case .down? = targets[other].known { return false }
            return true
        }
        return able.first { targets[$0].known == .up } ?? able.first
    }

    /// Where few others show a certificate, an answer without one says at least what time it is elsewhere.
    private mutating func askForDate(besides target: Int, at now: MonotonicTime) {
        let able = witnesses(of: .portal, without: target)
        guard let first = able.first(where: { targets[$0].known == .up }) ?? able.first, !isBeingAsked(first) else {
            return
        }
        look(first, at: now)
    }

    /// Two others that can tell, of which the right answer of one is known where there is such a one: several targets may send
    /// elsewhere by themselves, or show old certificates. A host is no witness for itself.
    private func witnesses(of kind: Inquiry.Kind, without target: Int) -> [Int] {
        let transport: Watched.Transport = kind == .clock ? .secure : .plainHTTP
        let own = Set(targets[target].hosts.map { hosts[$0].address })
        let able = settings.targets.indices.filter { other in
            guard other != target, settings.targets[other].transport == transport else { return false }
            guard kind == .clock || leadsOut(other) || !leadsOut(target) else { return false }
            if case .down? = targets[other].known { return false }
            return kind == .clock || !targets[other].hosts.contains { own.contains(hosts[$0].address) }
        }
        func rank(_ other: Int) -> Int {
            let watched = settings.targets[other]
            if watched.role == .reference { return 0 }
            return watched.role == .witness ? 3 : targets[other].known == .up ? 1 : 2
        }
        let sorted = able.sorted { (rank($0), $0) < (rank($1), $1) }
        guard let sure = sorted.first(where: isSure) else { return Array(sorted.prefix(2)) }
        return [sure] + sorted.filter { $0 != sure }.prefix(1)
    }

    /// Whether a portal could answer in the place of a target: not of one on a link of this host's own.
    func leadsOut(_ target: Int) -> Bool {
        targets[target].hosts.last.map { ways[hosts[$0].way].reachesAll } ?? true
    }

    /// Whether a target is a reference, so that it never sends elsewhere by itself.
    private func isSure(_ target: Int) -> Bool {
        settings.targets[target].hasKnownAnswer && settings.targets[target].role != .target
    }

    /// Notes what a target that was asked about another one says.
    mutating func witness(_ target: Int, _ answer: Answer, sentAt: MonotonicTime, at now: MonotonicTime) {
        let watched = settings.targets[target]
        if answer == .expected {
            // Over TLS no portal can answer in its place, either.
            if let since = portal.since, sentAt >= since, isProofOfLeave(target) { leavePortal(at: now) }
        }
        if watched.transport == .secure, answer.isTrusted { clock.trust() }
        if watched.transport == .secure, clock.isWrong,
            answer.isTrusted || clock.isLost(after: clockPatience, at: now)
        {
            leaveClock(at: now)
        }
        let ended = inquiries.hear(target, answer, isSure: isSure(target), sentAt: sentAt)
        for inquiry in ended { dueQueue.add(.inquiry(inquiry), at: now) }
    }

    /// Whether no portal stands where a target answers as is expected of it. A portal's page may be all that is expected of
    /// one over plain HTTP.
    private func isProofOfLeave(_ target: Int) -> Bool {
        guard target != portal.witness else { return true }
        let watched = settings.targets[target]
        guard leadsOut(target), watched.transport != .other else { return false }
        return watched.transport == .secure || watched.hasKnownAnswer || !(portal.witness.map(isSure) ?? false)
            || !settings.targets.contains { $0.transport == .secure }
    }

    mutating func conclude(_ id: UInt64, at now: MonotonicTime) {
        guard let inquiry = inquiries[id] else { return }
        let awaited =
            inquiry.isTold && inquiry.kind == .portal
            ? inquiry.witnesses.filter(isSure) : inquiry.witnesses.union(inquiry.sealed)
        if awaited.contains(where: isUnderWay), inquiry.since + .seconds(4) > now {
            return dueQueue.add(.inquiry(id), at: now + .milliseconds(200))
        }
        inquiries.end(id)
        let isKnown = inquiry.accused.contains {
            settings.targets[$0].hasKnownAnswer && settings.targets[$0].transport == .plainHTTP
        }
        let isPlain = inquiry.accused.contains { settings.targets[$0].transport == .plainHTTP }
        let isProven = inquiry.isProven(isKnown: isKnown, isPlain: isPlain)
        switch inquiry.kind {
        case .portal where isProven: enterPortal(provenBy: inquiry.accused[0], at: now)
        case .clock where isProven: enterClock(at: now)
        default: for target in inquiry.accused { judge(target, at: now) }
        }
    }

    /// Whether a target that was asked may still answer.
    private func isUnderWay(_ target: Int) -> Bool {
        targets[target].ask != nil
            || (isWaitingForName(target) && names.index(of: target).map { names[$0].failures.isEmpty } ?? false)
    }

    // MARK: Portal

    /// A portal lets nothing through but plain HTTP, and answers that in place of others: one of those that would show it is
    /// asked, where none has been well since a time: what was well before may be behind one now.
    mutating func askForPortal(since: MonotonicTime, at now: MonotonicTime) {
        guard !portal.stands else { return }
        let able = portalWitnesses
        let isAsked = able.contains {
            let isRecent = targets[$0].goodAt.map { $0 > since } ?? false
            return isBeingAsked($0) || (isRecent && settings.targets[$0].role != .witness)
        }
        let first = able.min { (targets[$0].goodAt ?? start) < (targets[$1].goodAt ?? start) }
        if let first, !isAsked { look(first, at: now) }
    }

    /// The time has come to look whether a portal still stands; or whether there is one, where all names lead astray: it may lead
    /// them to its own address, and a witness that believes where its name leads to shows it.
    mutating func lookForPortal(at now: MonotonicTime) {
        if portal.isDue(at: now) { askPortal(at: now) }
        guard !portal.stands, areNamesAstray, seekPortal(at: now) else { return }
        dueQueue.add(.portal, at: now + Rules.portal)
    }

    /// Looks for a portal in the place of what is wrong anyhow, now and then.
    ///
    /// - Returns: Whether it was not looked for just before.
    @discardableResult
    mutating func seekPortal(at now: MonotonicTime) -> Bool {
        guard portal.seek(at: now) else { return false }
        askForPortal(since: now.advanced(by: .zero - Rules.portal), at: now)
        return true
    }

    /// Those that were well in plain HTTP and whose right answer is known, references before others; the built-in one where
    /// there are none, and any where that may not be asked.
    private var portalWitnesses: [Int] {
        let plain = settings.targets.indices.filter { settings.targets[$0].transport == .plainHTTP && leadsOut($0) }
        // One whose name is not found, or leads astray, is not asked itself.
        let well = plain.filter { target in
            targets[target].known == .up && !(names.index(of: target).map(names.failing.contains) ?? false)
        }
        let references = well.filter { settings.targets[$0].role == .reference }
        if !references.isEmpty { return references }
        let known = well.filter { settings.targets[$0].hasKnownAnswer }
        if !known.isEmpty { return known }
        // A page in its place would satisfy any other.
        let builtIn = plain.first { settings.targets[$0].role == .witness }
        return builtIn.map { [$0] } ?? well
    }

    private mutating func enterPortal(provenBy target: Int, at now: MonotonicTime) {
        let waiting = open.values.flatMap(\.exchanges).filter { !$0.isHeard }.map(\.sentAt)
        guard portal.enter(provenBy: target, began: waiting.min() ?? now, at: now) else { return }
        isNews = true
        clock.leave()
        forgetNameFailures()
        for target in targets.indices { targets[target].forgive() }
        for host in hosts.indices { hosts[host].forgive() }
        dueQueue.add(.portal, at: now + Rules.portal)
    }

    /// Looks whether a person has logged in.
    mutating func askPortal(at now: MonotonicTime) {
        guard !portal.isLost(at: now) else { return leavePortal(at: now) }
        guard let witness = portal.ask(at: now) else { return }
        dueQueue.add(.portal, at: now + Rules.portal)
        // It may be wrong by now, whether the portal stands or not. Of a reference that is seldom.
        let isEnough = isSure(witness) && !portal.looks.isMultiple(of: Rules.sureLooks)
        let others = isEnough ? [] : [secondWitness(besides: witness)].compactMap(\.self)
        for other in [witness] + others where !isBeingAsked(other) {
            // Behind the portal its name may have led to the portal itself.
            if let name = names.index(of: other) { names[name].expire() }
            look(other, at: now)
        }
    }

    /// Another one that may tell that the portal is gone, by turns: one of two references, which are those that were asked
    /// whether there is one, and where there is none one of the others.
    private func secondWitness(besides witness: Int) -> Int? {
        let plain = settings.targets.indices.filter { $0 != witness && settings.targets[$0].transport == .plainHTTP }
        let sure = Array(plain.filter(isSure).prefix(2))
        if !sure.isEmpty { return sure[portal.looks / Rules.sureLooks % sure.count] }
        let sealed = settings.targets.indices.filter { settings.targets[$0].transport == .secure && leadsOut($0) }
        let able = sealed.isEmpty || !isSure(witness) ? plain.filter(leadsOut) : sealed
        return able.isEmpty ? nil : able[portal.looks % able.count]
    }

    /// Something of this host's own has got through: perhaps a person has logged in.
    mutating func askPortalSoon(at now: MonotonicTime) {
        if portal.mayBeAsked(at: now) { askPortal(at: now) }
    }

    private mutating func leavePortal(at now: MonotonicTime) {
        // What died behind it may have died of it.
        for way in ways.indices where ways[way].death.map({ portal.wasMet(at: $0.since) }) ?? false {
            ways[way].reset()
        }
        portal.leave(at: now)
        // Behind it names may have led to the portal itself.
        for name in names.indices { names[name].expire() }
        forgetNameFailures()
        forgetFindings()
        startSweep(at: now)
    }

    // MARK: Clock

    /// Takes in by how many seconds a target's answer was dated ahead of this host's time.
    mutating func note(offset: Int64, by target: Int, at now: MonotonicTime) {
        // A router without a clock of its own is no witness.
        guard leadsOut(target) else { return }
        clock.note(offset: offset)
        if clock.isShownByDate, !ClockState.isOff(offset) {
            clock.dispute()
            return leaveClock(at: now)
        }
        guard !clock.isWrong, let inquiry = inquiries.first(of: .clock) else { return }
        if isDatedOtherwise(inquiry.certificates, of: inquiry.accused) { enterClock(byDate: true, at: now) }
    }

    /// Whether the certificates that some targets have shown are valid at another time, which the last answers were dated by,
    /// and no other target's certificate is valid at this host's time.
    private func isDatedOtherwise(_ certificates: [UntimelyCertificate], of accused: [Int]) -> Bool {
        guard certificates.contains(where: clock.explains) else { return false }
        return !settings.targets.indices.contains { other in
            settings.targets[other].transport == .secure && targets[other].known == .up && isCurrent(other)
                && !accused.contains(other)
        }
    }

    private mutating func enterClock(byDate isShownByDate: Bool = false, at now: MonotonicTime) {
        guard !clock.isWrong else { return }
        clock.enter(byDate: isShownByDate, at: now)
        isNews = true
        for target in targets.indices where settings.targets[target].transport == .secure {
            targets[target].forgive()
            mark(target)
        }
    }

    private mutating func leaveClock(at now: MonotonicTime) {
        clock.leave()
        forgetFindings()
        startSweep(at: now)
    }
}
