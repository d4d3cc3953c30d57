internal import EventLoop

/// This host's clock, as long as it is taken to be wrong.
struct ClockState: Sendable {
    private(set) var since: MonotonicTime?
    /// When a certificate was last found out of its time.
    private var metAt: MonotonicTime?
    /// By how many seconds the last answer from beyond the gateway was dated ahead of this host's time.
    private var offset: Int64?
    /// Whether only such a date has shown that it is wrong.
    private(set) var isShownByDate = false
    /// Whether another date has said since that it is right, while no certificate has: dates alone show nothing then.
    private var isDisputed = false

    /// Dates that are less off, in seconds, are those of servers whose clocks are.
    static let leastOffset: Int64 = 86_400

    var isWrong: Bool { since != nil }

    mutating func enter(byDate isShownByDate: Bool = false, at now: MonotonicTime) {
        (since, metAt, self.isShownByDate) = (now, now, isShownByDate)
    }

    mutating func leave() { (since, isShownByDate) = (nil, false) }

    /// Notes a certificate that is out of its time, though others are, too.
    mutating func meet(at now: MonotonicTime) { metAt = now }

    mutating func note(offset: Int64) { self.offset = offset }

    /// A date says that it is right, which was only shown to be wrong by another one.
    mutating func dispute() { isDisputed = true }

    /// A certificate is valid at this host's time.
    mutating func trust() { isDisputed = false }

    /// Whether the last answers say another time, in which a certificate is valid.
    func explains(_ certificate: UntimelyCertificate) -> Bool {
        !isDisputed && offset.map { Self.isOff($0) && certificate.offsets.contains($0) } ?? false
    }

    static func isOff(_ offset: Int64) -> Bool { offset.magnitude >= leastOffset }

    /// Whether no certificate was seen for so long that nothing is known of it: all that show one may be down.
    func isLost(after patience: Duration, at now: MonotonicTime) -> Bool {
        isWrong && metAt.map { $0 + patience <= now } ?? false
    }
}
