internal import EventLoop

/// The names of all targets by numbers, what is asked about them, and whether none is found.
struct NameBook: RandomAccessCollection, Sendable {
    /// That no name is found.
    struct Failure: Sendable {
        let since: MonotonicTime
        let reason: Reason
        let culprit: Culprit
    }

    private var states: [NameState] = []
    /// Each target's name.
    private var ofTarget: [Int?] = []
    /// Which name each question under way is about.
    private var ofQuestion: [UInt64: Int] = [:]
    /// Those that were not found when they were asked for last.
    private(set) var failing: Set<Int> = []
    /// Those of them of which it is not settled whose fault that is.
    private(set) var unsettled: Set<Int> = []
    /// How many questions are under way about names that were not found before.
    private(set) var askedAgain = 0
    /// When the latest name was asked for that was found.
    private(set) var lastGood: MonotonicTime?
    /// Set while no name is found.
    var failure: Failure?
    /// The last that was asked for because another was not found.
    private var latest = 0

    init(_ targets: [Watched]) {
        var numbers: [String: Int] = [:]
        for (target, watched) in targets.enumerated() {
            guard let name = watched.name else {
                ofTarget.append(nil)
                continue
            }
            // An address that is not believed of a target is where a witness finds a portal.
            let key = watched.role == .witness ? "witness \(name)" : name
            let number = numbers[key] ?? states.count
            if number == states.count { states.append(NameState(name)) }
            numbers[key] = number
            states[number].targets.append(target)
            ofTarget.append(number)
        }
    }

    var startIndex: Int { states.startIndex }
    var endIndex: Int { states.endIndex }

    // Not read in place: see WayTable.
    subscript(number: Int) -> NameState {
        get { states[number] }
        _modify { yield &states[number] }
    }

    func index(of target: Int) -> Int? { ofTarget[target] }

    /// Knows what another one knew of the same names.
    mutating func adopt(_ old: NameBook) {
        let known = Dictionary(old.states.map { ($0.name, $0) }) { first, _ in first }
        for number in states.indices {
            if let before = known[states[number].name] { states[number].adopt(before) }
        }
        lastGood = old.lastGood
        // Where none is found, none of the others is either, until one is.
        if states.contains(where: { known[$0.name] != nil }) { failure = old.failure }
    }

    // MARK: Questions

    /// The name that a question under way is about.
    func index(asked question: UInt64) -> Int? { ofQuestion[question] }

    /// How many questions are under way.
    var asked: Int { ofQuestion.count }

    /// Whether a name was not found when it was asked for last.
    func isFailing(_ number: Int) -> Bool { failing.contains(number) }

    /// Whether any is asked for beside one.
    func isAsked(besides number: Int) -> Bool { ofQuestion.values.contains { $0 != number } }

    mutating func begin(_ question: UInt64, about number: Int, at server: Int) {
        states[number].asks[question] = server
        ofQuestion[question] = number
        if isFailing(number) { askedAgain += 1 }
    }

    /// Notes that a question has ended.
    ///
    /// - Parameter ways: By which it was put.
    /// - Returns: The name; nil where its answer is not wanted any more.
    mutating func end(_ question: UInt64, ways: [Int]) -> Int? {
        guard let number = remove(question), states[number].asks[question] != nil else { return nil }
        states[number].note(ways)
        states[number].asks[question] = nil
        return number
    }

    /// A question under way says nothing.
    mutating func drop(_ question: UInt64) {
        guard let number = remove(question) else { return }
        states[number].drop(question)
    }

    private mutating func remove(_ question: UInt64) -> Int? {
        guard let number = ofQuestion.removeValue(forKey: question) else { return nil }
        if isFailing(number) { askedAgain -= 1 }
        return number
    }

    /// Gives up all that is asked about a name.
    ///
    /// - Returns: What that was.
    mutating func dropQuestions(about number: Int) -> [UInt64] {
        let questions = states[number].asks.keys.sorted()
        for question in questions { _ = remove(question) }
        states[number].asks = [:]
        return questions
    }

    /// The next name in turn.
    mutating func takeNext() -> Int {
        latest = (latest + 1) % states.count
        return latest
    }

    // MARK: What is found

    /// Notes that a name was found that was asked for then.
    mutating func succeed(_ number: Int, asked: MonotonicTime) {
        if failing.remove(number) != nil { askedAgain -= states[number].asks.count }
        unsettled.remove(number)
        lastGood = Swift.max(lastGood ?? asked, asked)
    }

    /// Ends an attempt that was in vain; nil where none was under way.
    mutating func fail(_ number: Int, isAfterWord: Bool) -> NameState.Failure? {
        guard let failure = states[number].fail(isAfterWord: isAfterWord) else { return nil }
        if failing.insert(number).inserted { askedAgain += states[number].asks.count }
        if !states[number].isFailed { unsettled.insert(number) }
        return failure
    }

    /// It is known whose fault it is that a name is not found.
    mutating func settle(_ number: Int) {
        states[number].settle()
        unsettled.remove(number)
    }

    /// A name that was not found is asked for anew at the next turn of the targets that wait for it.
    mutating func forgive() {
        for number in failing { states[number].forgive() }
        (failing, unsettled, askedAgain) = ([], [], 0)
    }

    /// Other servers are asked from now on.
    ///
    /// - Returns: What was asked.
    mutating func forget() -> [UInt64] {
        let questions = states.flatMap { $0.asks.keys.sorted() }
        for number in states.indices { states[number].forget() }
        (ofQuestion, failing, unsettled, askedAgain, lastGood, failure) = ([:], [], [], 0, nil, nil)
        return questions
    }
}
