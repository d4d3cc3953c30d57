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
        /// The drivers still say otherwise than the kernel, which has had time enough to tell.
        case disputed
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

    /// Takes another question in the place of the one before.
    ///
    /// - Parameter time: When it is to be asked first, as far as the drivers need no rest.
    /// - Returns: The round that has to be set a timer for; nil where the next one is early enough.
    mutating func follow(_ next: CarrierQuestion, at time: MonotonicTime) -> Turn? {
        question = next.links.isEmpty ? nil : next
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
        guard let question else { return (nil, nil) }
        let isDisputed = !question.lost.isEmpty
        if let next = watch.next(end, isDisputed: isDisputed, spent: spent) { return (due(at: next), nil) }
        self.question = nil
        guard isDisputed, isCurrent else { return (nil, nil) }
        isAnswerUnderWay = true
        return (nil, .disputed)
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
