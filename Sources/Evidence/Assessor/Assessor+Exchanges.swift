internal import EventLoop
internal import NetworkAddress

/// What is sent, heard and missed, and what that says of ways.
extension Assessor {
    mutating func ask(_ question: Ask.Question, timeout: Duration, at now: MonotonicTime) -> Ask.ID {
        lastAsk += 1
        let ask = Ask(id: lastAsk, question: question, timeout: timeout, due: now)
        open[lastAsk] = Open(ask: ask, sentAt: now)
        output.asks.append(ask)
        return lastAsk
    }

    /// Asks a host for any word, if there is still something to find out.
    mutating func touch(_ host: Int, of way: Int, at now: MonotonicTime) {
        guard hosts[host].way == way || underlying(hosts[host].way) == way,
            ways[way].suspected != nil || ways[way].isDead
        else { return }
        let id = sendTouch(host, isNews: false, at: now)
        ways[way].note(id, to: hosts[host].address)
    }

    @discardableResult
    mutating func sendTouch(_ host: Int, isNews: Bool, at now: MonotonicTime) -> Ask.ID {
        let state = hosts[host]
        // It is asked as one of its targets is, that is up: by others it may not answer.
        let target = state.targets.first { targets[$0].known == .up } ?? state.targets.first
        let id = ask(
            .touch(Host(address: state.address, way: ways[state.way].way), target: target), timeout: Rules.round,
            at: now)
        open[id]?.isNews = isNews
        hosts[host].wasTouched = true
        return id
    }

    mutating func begin(_ id: Ask.ID, _ host: Host, at now: MonotonicTime) {
        guard let ask = open[id]?.ask else { return }
        let index = index(of: host)
        // The kernel has just told of it, whatever was known before.
        if !ways[hosts[index].way].isPresent { ways[hosts[index].way].course = network.particular(host.way) }
        let target: Int? =
            switch ask.question {
            case .probe(let target, _): target
            case .touch, .name: nil
            }
        if let target { place(target, at: index, at: now) }
        if case .touch(let wanted, _) = ask.question, wanted.way != host.way { follow(wanted, to: index, at: now) }
        if let target, settings.targets[target].role != .witness { use(hosts[index].way) }
        let number = open[id]?.exchanges.count ?? 0
        let way = hosts[index].way
        open[id]?.exchanges.append(
            Exchange(host: index, way: way, generation: ways[way].generation, sentAt: now))
        dueQueue.add(.late(id, number), at: now + hosts[index].usual.lateness)
    }

    mutating func use(_ way: Int) {
        ways[way].isUsed = true
        if let underlying = underlying(way) { ways[underlying].isUsed = true }
    }

    private func exchange(_ id: Ask.ID, _ address: IPAddress) -> Int? {
        open[id]?.exchanges.lastIndex { hosts[$0.host].address == address && !$0.isOver }
    }

    /// An answer is late.
    mutating func notice(_ id: Ask.ID, _ number: Int, at now: MonotonicTime) {
        guard let exchange = open[id]?.exchanges[number], !exchange.isHeard, !exchange.isOver else { return }
        open[id]?.exchanges[number].isLate = true
        if case .name = open[id]?.ask.question {
            askNextServer(of: id, at: now)
        } else if !hosts[exchange.host].isDown, hosts[exchange.host].heard != nil {
            ways[exchange.way].lateAt = now
        }
        if open[id].map({ isSuspicious($0, exchange) }) ?? false {
            suspect(exchange.way, since: exchange.sentAt, at: now)
        }
    }

    /// Whether a silence raises a suspicion: that of a host that is down is none, unless nothing is known of its target now.
    private func isSuspicious(_ asked: Open, _ exchange: Exchange) -> Bool {
        guard asked.isNews, hosts[exchange.host].isDown else { return asked.isNews }
        guard case .probe(let target, _) = asked.ask.question, settings.targets[target].role != .witness else {
            return false
        }
        return targets[target].known == nil || !isCurrent(target)
    }

    mutating func hear(_ id: Ask.ID, _ address: IPAddress, after: Duration, at now: MonotonicTime) {
        guard let number = exchange(id, address), let exchange = open[id]?.exchanges[number], !exchange.isHeard else {
            return
        }
        open[id]?.exchanges[number].isHeard = true
        // A name that is asked for only to see whether there is a portal proves nothing: portals find names.
        let asked = names.index(asked: id).map { names[$0].targets } ?? []
        guard asked.isEmpty || asked.contains(where: { settings.targets[$0].role != .witness }) else { return }
        let host = exchange.host
        if case .touch? = open[id]?.ask.question { hosts[host].hasAnsweredTouch = true }
        if open[id]?.isNews == false, hosts[host].heard != nil { ways[exchange.way].contrast(isHeard: true, at: now) }
        measure(host, way: exchange.way, sentAt: exchange.sentAt, after: after, at: now)
        ways[exchange.way].hosts.moveToFront(host)
        if !(ways[exchange.way].heard.map { $0 >= exchange.sentAt } ?? false) { ways[exchange.way].witness = host }
        prove(exchange.way, sentAt: exchange.sentAt, at: now)
        // Where there are no references it may be the only witness: whether it is one is to be known before it is needed.
        if referring.isEmpty, !hosts[host].wasTouched, !answersTouches(host) { sendTouch(host, isNews: false, at: now) }
    }

    private mutating func measure(
        _ host: Int, way: Int, sentAt: MonotonicTime, after: Duration, at now: MonotonicTime
    ) {
        let recovered = hosts[host].hear(sentAt: sentAt, at: now)
        // What a dead way took to come back is not what its hosts usually take.
        let wasDead = wasOut(way, at: sentAt)
        let pace = wasDead ? .usual : hosts[host].usual.add(after)
        if !wasDead { _ = ways[way].usual.add(after) }
        ways[way].slowHosts[host] = pace == .slow ? now : nil
        // A radio that sleeps between two questions is slow to wake, and a name server has work of its own.
        let isAwake =
            ways[way].course?.isMetered != true || (ways[way].heard.map { $0 + .seconds(6) > sentAt } ?? false)
        guard isAwake, !network.nameServers.contains(hosts[host].address) else { return }
        let wasLossy = ways[way].loss.isLossy
        defer {
            if ways[way].loss.isLossy != wasLossy {
                isNews = true
                planGap(way, at: now + Rules.lossyGap)
            }
            if ways[way].loss.isLossy { ways[way].slowUntil = nil }
        }
        for miss in recovered {
            ways[way].loss.note(lost: 2, of: 2, by: host, isOutage: wasOut(way, at: miss), at: now)
        }
        let retries = if case .retried(let count) = pace { count } else { 0 }
        ways[way].loss.note(lost: retries, of: retries + 1, by: host, isOutage: wasDead, at: now)
        if retries > 0 || !recovered.isEmpty { askOthers(of: way, at: now) }
    }

    /// Whether what was sent over a way at a time met a dead way or a portal: that it was missed is no chance.
    private func wasOut(_ way: Int, at time: MonotonicTime) -> Bool {
        ways[way].wasDead(at: time) || portal.wasMet(at: time)
    }

    /// Hosts may lose by their own fault what their way is taken to lose: others tell.
    private mutating func askOthers(of way: Int, at now: MonotonicTime) {
        guard !ways[way].isDead, ways[way].suspected == nil else { return }
        let suspects = ways[way].loss.suspects(at: now)
        guard !suspects.isEmpty else { return }
        // A name server's words say nothing of loss.
        let known = Set(suspects.map { hosts[$0].address } + network.nameServers)
        for other in pick(4, of: way, without: known) { sendTouch(other, isNews: false, at: now) }
    }

    /// A host that was asked at a time was heard over a way.
    mutating func prove(_ way: Int, sentAt: MonotonicTime, at now: MonotonicTime) {
        let before = ways[way].heard
        let effect = ways[way].hear(sentAt: sentAt)
        if case .revived = effect { revived(way, at: now) }
        if case .nothing = effect {} else { isNews = true }
        if ways[way].heard != before { chargeMisses(of: way, at: now) }
        if case .cleared = effect { suspectAgain(way, at: now) }
        if let underlying = underlying(way) { prove(underlying, sentAt: sentAt, at: now) }
        // A word from beyond the gateway proves the link under it, too.
        guard ways[way].way.gateway != nil else { return }
        let link = Way(interface: ways[way].way.interface, family: ways[way].way.family)
        if let under = ways.index(of: link) { prove(under, sentAt: sentAt, at: now) }
    }

    /// The host's own traffic was answered.
    mutating func hearTraffic(_ way: Int, sentAt: MonotonicTime, at now: MonotonicTime) {
        ways[way].trafficHeard = max(ways[way].trafficHeard ?? sentAt, sentAt)
        prove(way, sentAt: sentAt, at: now)
    }

    /// Others may be late that were asked after the one that was heard.
    private mutating func suspectAgain(_ way: Int, at now: MonotonicTime) {
        let late = open.values.flatMap { asked in
            asked.exchanges.filter {
                $0.way == way && $0.isLate && !$0.isHeard && !$0.isOver && isSuspicious(asked, $0)
            }
        }
        if let first = late.map(\.sentAt).filter({ !ways[way].isProven(since: $0) }).min() {
            suspect(way, since: first, at: now)
        }
    }

    private mutating func chargeMisses(of way: Int, at now: MonotonicTime) {
        for target in ways[way].takeUncharged() { judge(target, at: now) }
        if ways[way].reachesAll || ways[way].way.gateway != nil {
            judgeUnsettledNames(at: now)
        }
    }

    mutating func note(_ miss: Miss, _ id: Ask.ID, _ address: IPAddress, at now: MonotonicTime) {
        guard let number = exchange(id, address), let exchange = open[id]?.exchanges[number], !exchange.isHeard else {
            return
        }
        open[id]?.exchanges[number].isOver = true
        guard miss != .void else { return }
        let isNews = open[id].map { isSuspicious($0, exchange) } ?? false
        hosts[exchange.host].miss(sentAt: exchange.sentAt)
        if miss == .told {
            open[id]?.exchanges[number].isTold = true
            ways[exchange.way].tell(address, at: now)
        } else {
            ways[exchange.way].miss(address)
        }
        if isNews { suspect(exchange.way, since: exchange.sentAt, at: now) }
        askMemberAgain(exchange, isNews: isNews, miss, at: now)
        if let due = ways[exchange.way].round?.due, due <= now { stepRound(exchange.way, at: now) }
    }

    /// A member of a round that was missed while another was heard: asked once more, it shows whether packets are lost.
    private mutating func askMemberAgain(_ exchange: Exchange, isNews: Bool, _ miss: Miss, at now: MonotonicTime) {
        let host = hosts[exchange.host]
        guard !isNews, miss == .silent, !ways[exchange.way].isDead, !host.isDown, host.misses == 1, host.heard != nil,
            answersTouches(exchange.host)
        else { return }
        ways[exchange.way].contrast(isHeard: false, at: now)
        sendTouch(exchange.host, isNews: false, at: now)
    }

    mutating func end(_ id: Ask.ID, _ answer: Answer, at now: MonotonicTime) {
        guard let ended = open.removeValue(forKey: id) else { return }
        switch ended.ask.question {
        case .probe(let target, _): finish(target, ended, answer, at: now)
        case .touch:
            guard answer == .unsent, ended.exchanges.allSatisfy(\.isVoid) else { return }
            for way in ways.indices where ways[way].round != nil { ways[way].withdraw(id) }
        case .name: finishName(id, ended, answer, at: now)
        }
    }
}
