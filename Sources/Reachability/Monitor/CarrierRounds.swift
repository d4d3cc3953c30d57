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
    var watch: CarrierWatch
    private(set) var question: CarrierQuestion?
    /// Whether a round is due or runs.
    private(set) var isUnderWay = false
    /// The number of the latest question that was asked.
    private var asked: UInt64?
    /// Whether there is an answer that the monitor has not taken.
    var isAnswerUnderWay = false

    init(_ watch: CarrierWatch) {
        self.watch = watch
    }

    /// Whether the drivers are to be asked if there is something to ask.
    var isOpen: Bool { watch.isOpen || watch.pollInterval != nil }

    var isSettled: Bool {
        (!isUnderWay || question == nil || asked == question?.number) && !isAnswerUnderWay
    }

    /// Takes another question in the place of the one before.
    ///
    /// - Returns: Whether a round has to be begun; where one is due already, it asks the new question.
    mutating func follow(_ next: CarrierQuestion) -> Bool {
        question = next.links.isEmpty ? nil : next
        guard !isUnderWay, question != nil, isOpen else { return false }
        isUnderWay = true
        return true
    }

    /// Begins a round.
    ///
    /// - Returns: What is to be asked in it; nil where nothing is any more.
    mutating func begin() -> CarrierQuestion? {
        isUnderWay = question != nil
        return question
    }

    /// Notes what the drivers said in a round.
    ///
    /// - Returns: When the next round is due, nil where none is; and what is to be told.
    mutating func conclude(
        _ answered: CarrierQuestion, _ carriers: [UInt32: Bool], from start: MonotonicTime, to end: MonotonicTime
    ) -> (next: MonotonicTime?, CarrierQuestion.Outcome?) {
        asked = answered.number
        // The next round asks what has been put meanwhile.
        let isCurrent = question?.number == answered.number
        guard !isCurrent || !answered.isNews(carriers) else {
            // The monitor puts the next question once it has taken this answer.
            isUnderWay = false
            isAnswerUnderWay = true
            question = nil
            return (nil, .carriers(carriers))
        }
        let isDisputed = !(question?.lost.isEmpty ?? true)
        let next = watch.next(end, isDisputed: isDisputed, spent: start.duration(to: end))
        isUnderWay = next != nil && question != nil
        let isOver = isDisputed && isCurrent && next == nil
        if isOver { isAnswerUnderWay = true }
        if !isUnderWay { question = nil }
        return (isUnderWay ? next : nil, isOver ? .disputed : nil)
    }

    /// Asks no more.
    mutating func end() {
        question = nil
        isUnderWay = false
        isAnswerUnderWay = false
    }
}
