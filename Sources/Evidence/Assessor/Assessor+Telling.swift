internal import EventLoop

/// What is told of it, and when.
extension Assessor {
    mutating func publish(at now: MonotonicTime) {
        guard isNews else { return }
        isNews = false
        revision += 1
        guard let verdict = assess(at: now),
            verdict != Verdict(.unknown) || publication.told != nil || hasUp || isAnyForgotten
        else { return }
        let decision = publication.decide(verdict, hasTargets: !changed.isEmpty, at: now)
        if let quiet = publication.quietAt { planPublication(at: quiet) }
        switch decision {
        case .nothing: break
        case .later(let time): planPublication(at: time)
        case .tell(let held, let flaps):
            let news = newsOfTargets()
            guard !news.isEmpty || flaps != nil || held != publication.told else { return }
            announce(held, news, flaps: flaps, at: now)
        }
    }

    /// Whether a target was told to be up or down of which nothing is known any more.
    private var isAnyForgotten: Bool {
        changed.contains { targets[$0].told.map { $0.status != .unknown } == true && health(of: $0).status == .unknown }
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

    /// Notes what was told of a target beside what is announced here: what differs from that is news.
    package mutating func note(told health: Health, of target: Int) { targets[target].told = health }

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
