import EventLoop

/// What the drivers are asked, again and again, until their answers are news.
struct CarrierQuestion: Sendable {
    /// A link, by the number and the name that it had when the question was put.
    struct Link: Hashable, Sendable {
        var index: UInt32
        var name: String
    }

    /// What came of it.
    enum Outcome: Hashable, Sendable {
        /// Some drivers say otherwise than before: what each says that can.
        case carriers([UInt32: Bool])
        /// The drivers of these still say otherwise than the kernel, which has had time enough to tell.
        case disputed(Set<Link>)
    }

    /// Tells one question from those before it.
    let number: UInt64
    let links: [Link]
    /// Those of which the drivers have said that there is no carrier, against the kernel.
    let lost: Set<UInt32>
    /// The links of which the kernel has told something since, which is newer than an answer.
    var outdated: Set<UInt32> = []
    /// Is called on the drivers' thread.
    let answer: @Sendable (_ number: UInt64, Outcome) -> Void

    mutating func note(newsOf index: UInt32) {
        if links.contains(where: { $0.index == index }) { outdated.insert(index) }
    }

    /// Whether an answer is another than the one that is known.
    func isNews(_ carriers: [UInt32: Bool]) -> Bool {
        links.contains { (carriers[$0.index] == false) != lost.contains($0.index) }
    }
}

/// When the drivers are asked what: the part of ``CarrierOracle`` that decides.
struct CarrierRounds: Sendable {
    /// A round that is due, told apart from those that were put off for it.
    struct Turn: Hashable, Sendable {
        var number: UInt64
        var time: MonotonicTime
    }

    private enum Phase {
        case idle
        case due(Turn)
        case asking
    }

    var watch: CarrierWatch
    private(set) var question: CarrierQuestion?
    /// Its links whose drivers say otherwise than the kernel, and since when: any link's event opens the watch anew.
    private var disputes: [CarrierQuestion.Link: MonotonicTime] = [:]
    private var phase = Phase.idle
    private var turns: UInt64 = 0
    /// Until when the drivers are left alone.
    private var restUntil = MonotonicTime(nanoseconds: 0)
    /// The number of the latest question that was asked.
    private var asked: UInt64?
    /// Whether there is an answer that the monitor has not taken.
    var isAnswerUnderWay = false

    init(_ watch: CarrierWatch) {
        self.watch = watch
    }

    /// Whether the drivers are to be asked if there is something to ask.
    var isOpen: Bool { watch.isOpen || watch.pollInterval != nil }

    /// Whether a round is due or runs.
    var isUnderWay: Bool { if case .idle = phase { false } else { true } }

    var isSettled: Bool {
        (!isUnderWay || question == nil || asked == question?.number) && !isAnswerUnderWay
    }

    /// Has the drivers asked for a while from now.
    mutating func open(_ now: MonotonicTime) {
        watch.open(now)
        // A poll comes too late for what the event holds back. Its timer finds another round due, and does nothing.
        if case .due(let turn) = phase, turn.time > max(now.advanced(by: CarrierWatch.interval), restUntil) {
            phase = .idle
        }
    }

    /// Takes another question in the place of the one before.
    ///
    /// - Parameter time: When it is to be asked first, as far as the drivers need no rest.
    /// - Returns: The round that has to be set a timer for; nil where the next one is early enough.
    mutating func follow(_ next: CarrierQuestion, at time: MonotonicTime) -> Turn? {
        question = next.links.isEmpty ? nil : next
        let disputed = next.links.filter { next.lost.contains($0.index) }
        disputes = Dictionary(uniqueKeysWithValues: disputed.map { ($0, disputes[$0] ?? time) })
        guard question != nil, isOpen else { return nil }
        let time = max(time, restUntil)
        switch phase {
        case .due(let turn) where time < turn.time: return due(at: time)
        case .idle: return due(at: time)
        case .due, .asking: return nil
        }
    }

    /// Begins a round.
    ///
    /// - Returns: What is to be asked in it; nil where nothing is any more, or another round has taken its place.
    mutating func begin(_ turn: Turn) -> CarrierQuestion? {
        guard case .due(let due) = phase, due == turn else { return nil }
        phase = question == nil ? .idle : .asking
        return question
    }

    /// Notes what the drivers said in a round.
    ///
    /// - Returns: The next round, nil where there is none; and what is to be told.
    mutating func conclude(
        _ answered: CarrierQuestion, _ carriers: [UInt32: Bool], from start: MonotonicTime, to end: MonotonicTime
    ) -> (next: Turn?, outcome: CarrierQuestion.Outcome?) {
        asked = answered.number
        phase = .idle
        let spent = start.duration(to: end)
        restUntil = end.advanced(by: max(CarrierWatch.shortestRest, spent * CarrierWatch.leisure))
        // The next round asks what has been put meanwhile.
        let isCurrent = question?.number == answered.number
        if isCurrent, answered.isNews(carriers) {
            // The monitor puts the next question once it has taken this answer.
            isAnswerUnderWay = true
            question = nil
            return (nil, .carriers(carriers))
        }
        guard question != nil else { return (nil, nil) }
        let disputed = disputes.filter { $0.value.duration(to: end) >= CarrierWatch.patience }
        if isCurrent, !disputed.isEmpty {
            isAnswerUnderWay = true
            question = nil
            return (nil, .disputed(Set(disputed.keys)))
        }
        if let next = watch.next(end, isDisputed: !disputes.isEmpty, spent: spent) { return (due(at: next), nil) }
        question = nil
        return (nil, nil)
    }

    /// Asks no more.
    mutating func end() {
        question = nil
        phase = .idle
        isAnswerUnderWay = false
    }

    private mutating func due(at time: MonotonicTime) -> Turn {
        turns += 1
        let turn = Turn(number: turns, time: time)
        phase = .due(turn)
        return turn
    }
}
