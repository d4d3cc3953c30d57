/// What was told of each target last. A word that is the same for all is written down once: after the loss of the only way out
/// there are thousands of which it holds.
struct ToldHealth: Sendable {
    private struct Entry {
        var health: Health?
        /// How many words for all there had been then.
        var words = 0
    }

    private var entries: [Entry]
    private var common: Health?
    private var words = 0

    init(count: Int) { entries = Array(repeating: Entry(), count: count) }

    /// Nil where nothing was told of it.
    subscript(target: Int) -> Health? {
        get { entries[target].words == words ? entries[target].health : common }
        set { entries[target] = Entry(health: newValue, words: words) }
    }

    /// Notes what was told of all in one word.
    mutating func tellAll(_ health: Health) {
        common = health
        words += 1
    }
}
