public import FoundationEssentials

/// Where a JSON text breaks the grammar.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// Counted from 1.
    public let line: Int
    /// In bytes, counted from 1.
    public let column: Int
    /// What was found, and what may stand there.
    public let reason: String
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String {
        "the text is not JSON: line \(line), column \(column): \(reason)"
    }
}

extension JSONSyntaxError: LocalizedError {
    /// What Foundation's `localizedDescription` says.
    public var errorDescription: String? { description }
}
