/// What came of reading the configuration anew.
package struct ReloadOutcome: Hashable, Sendable {
    /// What is different now, a line each.
    var changes: [String] = []
    /// What will be different after a restart only.
    var waiting: [String] = []
    /// What was passed over.
    var warnings: [String] = []
    /// Why nothing has changed.
    var refusal: String?

    package var isRefused: Bool { refusal != nil }

    /// One line for each.
    var lines: [String] {
        if let refusal { return ["refused: \(refusal)"] }
        let lines = changes + waiting.map { "\($0) (after a restart)" }
        return (lines.isEmpty ? ["nothing has changed"] : lines) + warnings
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
}
