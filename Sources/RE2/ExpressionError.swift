/// Why a regular expression cannot be used.
package enum ExpressionError: Error, Hashable {
    /// It asks what stands before or behind a place: `(?=`, `(?!`, `(?<=` or `(?<!`.
    case lookAround(String)
    /// It asks for a text that was found before: `\1`, `\k<name>` or `(?P=name)`.
    case backReference(String)
    /// It names a group in another way than RE2 does.
    case groupName
    /// A part of it is not in RE2's syntax.
    case syntax(String)
    case tooLarge
    case tooLong

    /// What RE2 says of an expression: the part that is at fault, and a sentence with that part in it.
    init(_ pattern: String, part: String, reason: String) {
        self =
            switch part {
            case "(?=", "(?!": .lookAround(part)
            case "(?<":
                ["(?<=", "(?<!"].first { pattern.contains($0) }.map { .lookAround($0) } ?? .groupName
            case "(?P" where pattern.contains("(?P="): .backReference("(?P=")
            case _ where Self.backReferences.contains(part): .backReference(part)
            default: .syntax(reason)
            }
    }

    private static let backReferences = Set((1...9).map { "\\\($0)" } + ["\\k", "\\g"])
}

extension ExpressionError: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    package var description: String {
        switch self {
        case .lookAround(let part):
            "it looks around (\(part)), which RE2's syntax does not have, because a server could then make it last for ever"
        case .backReference(let part):
            "it refers back (\(part)), which RE2's syntax does not have, because a server could then make it last for ever"
        case .groupName: "the name of a group is written (?P<name>...) in RE2's syntax"
        case .syntax(let reason): "\(reason) (the syntax is RE2's)"
        case .tooLarge:
            "it takes more than \(RegularExpression.memory >> 20) MiB of memory: make it simpler, or repeat less"
        case .tooLong: "it is longer than \(RegularExpression.longest >> 10) KiB"
        }
    }
}
