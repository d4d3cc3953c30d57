/// The answer of `/livez` and `/readyz` in the form that Kubernetes gave them: the code decides, the text explains.
package struct HealthReport: Hashable, Sendable {
    /// One named check of the program itself; `failure` says why it failed.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var failure: String?
        /// What is to be said although nothing hangs on it.
        package var note: String?
        /// Whether that is bad news.
        package var isTrouble = false

        package init(_ name: String, failure: String? = nil, note: String? = nil, isTrouble: Bool = false) {
            self.name = name
            self.failure = failure
            self.note = note
            self.isTrouble = isTrouble
        }
    }

    /// Which path answers: `livez` or `readyz`.
    private let name: String
    private let failureCode: Int
    private let items: [Item]
    private let excluded: [String]
    private let unknownExclusions: [String]

    /// - Parameters:
    ///   - failureCode: The answer's code where a check failed: 500 of a program that does not work, as Kubernetes answers;
    ///     503 of one that is not ready yet.
    ///   - exclusions: Names that the caller does not want to be judged; unknown ones are warned of.
    package init(_ name: String, items: [Item], failureCode: Int = 500, excluding exclusions: [String] = []) {
        self.name = name
        self.failureCode = failureCode
        self.items = items
        excluded = exclusions.filter { exclusion in items.contains { $0.name == exclusion } }
        unknownExclusions = exclusions.filter { exclusion in !items.contains { $0.name == exclusion } }
    }

    package var isGood: Bool { items.allSatisfy { $0.failure == nil || excluded.contains($0.name) } }

    /// 200, or what the report was made with.
    package var statusCode: Int { isGood ? 200 : failureCode }

    /// `ok` for a good report that is wanted without details; else a line for each check and one for all.
    package func text(isVerbose: Bool) -> String {
        guard isVerbose || !isGood else { return "ok" + warning }
        return (items.map(line) + ["\(name) check \(isGood ? "passed" : "failed")"]).joined(separator: "\n") + warning
            + "\n"
    }

    private func line(_ item: Item) -> String {
        if excluded.contains(item.name) { return "[+]\(item.name) excluded: ok" }
        return item.failure.map { "[-]\(item.name) failed: \($0)" }
            ?? "[+]\(item.name) \(item.isTrouble ? "failing" : "ok")\(item.note.map { ": \($0)" } ?? "")"
    }

    private var warning: String {
        guard !unknownExclusions.isEmpty else { return "" }
        let names = unknownExclusions.map { "\"\(DisplayText.safe($0))\"" }.joined(separator: ", ")
        return "\nwarn: some health checks cannot be excluded: no matches for \(names)"
    }
}
