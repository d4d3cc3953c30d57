/// A number of seconds as header fields state it (RFC 9111 section 1.2.2).
package enum DeltaSeconds {
    /// What stands for all that is more: some 68 years.
    package static let most: Int64 = 1 << 31

    /// Reads digits and nothing else; nil for what is no number. One that is too large is as good as the largest.
    package static func parse(_ text: some StringProtocol) -> Int64? {
        guard isNumber(text) else { return nil }
        return Int64(text).map { min($0, most) } ?? most
    }

    /// Whether the text is digits and nothing else.
    package static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension Duration {
    /// The duration as it may be slept for: the clock has no moment that is much later.
    package var bounded: Duration { min(self, .seconds(DeltaSeconds.most)) }
}

extension Int64 {
    /// The sum, held within what can be expressed.
    package func adding(clamped other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, held within what can be expressed.
    package func subtracting(clamped other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
