extension Duration {
    private static let units: [(suffix: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("", 1e9),
    ]

    /// A time as people write it, on the command line and in documents: `500ms`, `3s`, `5m`, `1h`; a number alone is in
    /// seconds. Nil where the text is none, or not longer than nothing, or longer than a week.
    package init?(text: String) {
        for (suffix, nanoseconds) in Self.units where text.hasSuffix(suffix) {
            let digits = text.dropLast(suffix.count)
            guard digits.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }), let number = Double(digits) else {
                continue
            }
            guard number > 0, number * nanoseconds <= 7 * 24 * 3600e9 else { return nil }
            self = .nanoseconds(Int64(number * nanoseconds))
            return
        }
        return nil
    }
}
