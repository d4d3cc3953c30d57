/// What the targets are that no way has to do with.
struct Nowhere: Sendable {
    var tally = Tally()
    /// What was found in an older one is not known any more.
    private(set) var generation = 0

    init() {}

    /// The same before anything is counted.
    init(after old: Nowhere) { generation = old.generation }

    mutating func forget() {
        tally = Tally()
        generation += 1
    }
}
