internal import EventLoop
internal import NetworkAddress

/// What is known of one name.
struct NameState: Sendable {
    let name: String
    private(set) var addresses: [IPAddress] = []
    private(set) var validUntil: MonotonicTime?
    /// When it was last found: when that was asked.
    private(set) var goodAt: MonotonicTime?
    private(set) var failures: [Failure] = []
    /// The targets that wait for it.
    var waiting: [Int] = []
    /// All that have it.
    var targets: [Int] = []
    /// What is under way for it, by the server's place in the list.
    var asks: [UInt64: Int] = [:]
    /// When the present attempt began; nil while none is under way.
    var attempt: MonotonicTime?
    private(set) var nextServer = 0
    private(set) var spoken: Reason?
    private var ways: [Int] = []
    /// Whether no route leads to a server of the present attempt.
    private var lacksRoute = false
    var due: MonotonicTime?
    private(set) var isFailed = false

    /// An attempt that was in vain.
    struct Failure: Sendable {
        let sentAt: MonotonicTime
        let reason: Reason
        /// The ways that the servers were asked by.
        let ways: [Int]
        /// Whether the first in vain was known to be no fault of the way when this one was over: a short outage is met by two in
        /// a row, and by none after a word.
        let isAfterWord: Bool
    }

    init(_ name: String) { self.name = name }

    func isValid(at now: MonotonicTime) -> Bool { validUntil.map { $0 > now } ?? false }

    /// Goes on with what was found of the same name before.
    mutating func adopt(_ other: NameState) {
        (addresses, validUntil, goodAt) = (other.addresses, other.validUntil, other.goodAt)
    }

    mutating func begin(at now: MonotonicTime) {
        (attempt, nextServer, spoken, due) = (now, 0, nil, nil)
        (ways, lacksRoute) = ([], false)
    }

    mutating func takeServer() -> Int {
        defer { nextServer += 1 }
        return nextServer
    }

    /// A question under way is given up.
    mutating func drop(_ id: UInt64) {
        asks[id] = nil
        if asks.isEmpty { (attempt, due) = (nil, nil) }
    }

    mutating func note(_ ways: [Int]) { self.ways += ways }

    mutating func hear(_ reason: Reason) { spoken = spoken ?? reason }

    /// No route leads to a server.
    mutating func missRoute() { lacksRoute = true }

    mutating func resolve(_ new: [IPAddress], until: MonotonicTime) {
        addresses = new
        validUntil = until
        goodAt = attempt ?? goodAt
        failures = []
        (attempt, isFailed, due) = (nil, false, nil)
    }

    /// The attempt was in vain: its reason is what was said, or silence, or that no route leads to any server.
    mutating func fail(isAfterWord: Bool) -> Failure? {
        guard let attempt else { return nil }
        let silence: Reason = lacksRoute && ways.isEmpty ? .noRoute : .nameServerSilent
        let failure = Failure(sentAt: attempt, reason: spoken ?? silence, ways: ways, isAfterWord: isAfterWord)
        failures.append(failure)
        if failures.count > 24 { failures.removeFirst(3) }
        self.attempt = nil
        return failure
    }

    /// It is known whose fault it is that it is not found.
    mutating func settle() { isFailed = true }

    mutating func forgive() { (failures, isFailed, due) = ([], false, nil) }

    /// Whether nothing is under way for it, nor planned.
    var isIdle: Bool { attempt == nil && due == nil }

    mutating func expire() { validUntil = nil }

    /// Other servers are asked from now on; the last addresses stay as evidence.
    mutating func forget() {
        (validUntil, goodAt, attempt, due, isFailed) = (nil, nil, nil, nil, false)
        (failures, asks, waiting) = ([], [:], [])
    }
}
