/// Which key was meant by one that is not known.
package enum KeySuggestion {
    /// The known key that is most like it; nil where none is like it.
    package static func suggestion(for key: String, among known: [String]) -> String? {
        guard key.utf8.count <= 64 else { return nil }
        let plain = plain(key)
        let distances = known.map { (key: $0, distance: distance(plain, Self.plain($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, plain.count / 3) ? best.key : nil
    }

    /// Small letters and digits: `retry_delay` is `retryDelay`.
    private static func plain(_ key: String) -> [Character] {
        key.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// How many letters have to be added, left out, replaced or changed with their neighbour (Damerau, 1964).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var cost = min(row[j] + (one[i] == other[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { cost = min(cost, before[j - 1] + 1) }
                next.append(cost)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
