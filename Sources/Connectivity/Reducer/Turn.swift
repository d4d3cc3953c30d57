/// Whose turn it is among a lane's checks when all are due. Each time they begin where the last time has got to, so that the
/// last ones are not passed over where the way changes again and again.
struct Turn: Hashable, Sendable {
    /// Who is first this time.
    private var first = 0
    /// How many have had their turn.
    private var passed = 0

    /// All are due again.
    mutating func begin(of count: Int) {
        first = count > 0 ? (first + passed) % count : 0
        passed = 0
    }

    /// A check has had its turn.
    mutating func pass(_ offset: Int, of count: Int) {
        passed = max(passed, rank(offset, of: count) + 1)
    }

    /// How many of so many go before a check.
    func rank(_ offset: Int, of count: Int) -> Int {
        // There may have been more of them when this turn began.
        let first = count > 0 ? first % count : 0
        return offset >= first ? offset - first : offset - first + count
    }
}
