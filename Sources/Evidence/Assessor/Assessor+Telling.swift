internal import EventLoop

/// What is told of it, and when.
extension Assessor {
    mutating func publish(at now: MonotonicTime) {
        guard isNews else { return }
        isNews = false
        revision += 1
        guard let verdict = assess(at: now),
            verdict.status != .unknown || verdict.reason != nil || publication.told != nil
        else { return }
        switch publication.decide(verdict, hasTargets: !changed.isEmpty, at: now) {
        case .nothing: break
        case .later(let time): planPublication(at: time)
        case .tell(let held, let flaps):
            let news = newsOfTargets()
            guard !news.isEmpty || flaps != nil || held != publication.told else { return }
            announce(held, news, flaps: flaps, at: now)
        }
    }

    private mutating func planPublication(at time: MonotonicTime) {
        if publication.plan(time) { dueQueue.add(.publish, at: time) }
    }

    /// Targets whose state is another one than was told.
    private mutating func newsOfTargets() -> [(target: Int, health: Health)] {
        guard !changed.isEmpty else { return [] }
        var (news, left) = ([(target: Int, health: Health)](), [Int]())
        for target in changed {
            let health = health(of: target)
            let isNews =
                switch health.status {
                case .down: targets[target].told != health
                case .up: targets[target].told?.status != .up
                case .unknown: targets[target].told.map { $0.status != .unknown } ?? false
                }
            if isNews {
                news.append((target, health))
                left.append(target)
            } else {
                targets[target].isChanged = false
            }
        }
        changed = left
        return news
    }

    private mutating func announce(
        _ verdict: Verdict, _ news: [(target: Int, health: Health)], flaps: Int?, at now: MonotonicTime
    ) {
        let (from, sequence) = publication.publish(verdict, at: now)
        output.announcement = Announcement(
            sequence: sequence, time: now, from: from, verdict: verdict, changes: news, isWhole: from != verdict,
            flaps: flaps)
        for (target, health) in news {
            targets[target].told = health
            targets[target].isChanged = false
        }
        changed = []
        guard from != verdict else { return }
        for (target, health) in healthOfAll.enumerated() { targets[target].told = health }
    }
}
