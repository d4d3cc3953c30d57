/// What a client accepts, by its q-values (RFC 9110 12.4.2): the value of `Accept` or `Accept-Encoding`.
struct PreferenceList: Sendable {
    private let weights: [(name: String, weight: Double)]

    init(_ field: String?) {
        weights = (field ?? "").split(separator: ",").compactMap { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let name = parts.first, !name.isEmpty else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (name, min(max(weight ?? 1, 0), 1))
        }
    }

    /// How much a value is wanted, 0 for not at all; nil where nothing is said of it.
    ///
    /// - Parameter wildcards: What else stands for it, the nearest first: `text/*`, `*/*`.
    func weight(of name: String, wildcards: [String]) -> Double? {
        for candidate in [name] + wildcards {
            if let weight = weights.first(where: { $0.name == candidate })?.weight { return weight }
        }
        return nil
    }
}
