internal import EventLoop
internal import NetworkAddress

/// The questions by which a suspected way is found to be alive or dead.
struct Round: Sendable {
    let began: MonotonicTime
    /// How long each row of questions waits.
    private let wait: Duration
    /// How many rows are asked before the way is dead: more where it loses packets.
    private let rows: Int
    /// Those whose silence raised the suspicion: they are no witnesses for themselves.
    let accused: Set<IPAddress>
    private var row = 0
    private var steps = 0
    private(set) var asked: Set<IPAddress> = []
    /// The hosts that were asked and could have answered.
    private var credible: Set<IPAddress> = []
    /// What was sent to those that were asked.
    private var touches: [UInt64: IPAddress] = [:]
    private var open = 0
    private var told = 0
    private var silent = 0
    /// When the next step is.
    private(set) var due: MonotonicTime

    enum Step {
        /// Asks so many; where all were told, the same ones again.
        case ask(Int)
        /// No host was heard.
        case end
    }

    init(at now: MonotonicTime, wait: Duration, rows: Int, accused: Set<IPAddress>) {
        self.accused = accused
        began = now
        due = now
        self.wait = wait
        self.rows = max(rows, 1)
    }

    /// Whether a host was asked that could have answered.
    var isCredible: Bool { !credible.isEmpty }

    mutating func add(_ address: IPAddress, isCredible: Bool) {
        asked.insert(address)
        open += 1
        if isCredible { credible.insert(address) }
    }

    mutating func note(_ touch: UInt64, to address: IPAddress) { touches[touch] = address }

    /// One that was to be asked could not be: this host could not send it.
    mutating func withdraw(_ touch: UInt64) {
        guard let address = touches.removeValue(forKey: touch) else { return }
        open -= 1
        credible.remove(address)
    }

    /// What comes at a time.
    mutating func step(at now: MonotonicTime) -> Step? {
        guard now >= due else { return nil }
        steps += 1
        if steps == 1 {
            due = began + wait * row + Rules.secondRow
            return .ask(Rules.row)
        }
        if steps == 2 {
            due = began + wait * (row + 1)
            if told > 0, open == 0, silent == 0 { asked = [] }
            return .ask(Rules.row)
        }
        row += 1
        guard row < rows else { return .end }
        (steps, asked) = (0, [])
        return step(at: now)
    }

    /// Notes what a router or this kernel says of a host that was asked. Where all are told of, and were asked twice, it is over at once.
    mutating func tell(at now: MonotonicTime) {
        open -= 1
        told += 1
        if open == 0, steps >= 2, silent == 0 { (due, row) = (now, rows) }
    }

    mutating func miss() {
        open -= 1
        silent += 1
    }
}
