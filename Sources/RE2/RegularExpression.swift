internal import CRE2

/// A regular expression in RE2's syntax, compiled: its matching takes time that grows with the text alone, so that what a
/// server sends cannot make it last.
@safe
package final class RegularExpression: Sendable {
    /// What looking for it in a text has come to.
    package enum Outcome: Hashable, Sendable {
        case match
        case noMatch
        /// There is no memory left to tell.
        case tooCostly
    }

    /// How much memory it may take, itself and while it is matched: what RE2 takes at most by default.
    package static let memory: Int64 = 8 << 20
    /// How long an expression may be, in bytes.
    package static let longest = 64 << 10

    /// Safe because it is written nowhere after `init`, and a compiled `RE2` is const to all matches, of which several
    /// threads may do at one time (re2.h, "thread-safe").
    private nonisolated(unsafe) let compiled: OpaquePointer

    package init(_ pattern: String) throws(ExpressionError) {
        guard pattern.utf8.count <= Self.longest else { throw .tooLong }
        var flaw = NETWATCH_RE2_NO_FLAW
        var part = [CChar](repeating: 0, count: 100)
        var reason = part
        var text = pattern
        let compiled = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe netwatch_re2_compile(
                    characters.baseAddress, characters.count, Self.memory, &flaw, &part, part.count, &reason,
                    reason.count)
            }
        }
        guard let compiled = unsafe compiled else {
            throw flaw == NETWATCH_RE2_TOO_LARGE
                ? .tooLarge : ExpressionError(pattern, part: Self.text(part), reason: Self.text(reason))
        }
        unsafe self.compiled = compiled
    }

    deinit {
        unsafe netwatch_re2_free(compiled)
    }

    /// Looks for it anywhere in a text. `$` is also before the line end that a text ends with, as most do.
    package func outcome(in text: [UInt8]) -> Outcome {
        // RE2 passes over no byte that is not UTF-8.
        let text =
            String(validating: text, as: UTF8.self) == nil ? Array(String(decoding: text, as: UTF8.self).utf8) : text
        let whole = search(text[...])
        guard whole == .noMatch, let end = text.last, end == UInt8(ascii: "\n") else { return whole }
        let line = text.dropLast()
        return search(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    private func search(_ text: ArraySlice<UInt8>) -> Outcome {
        let outcome = unsafe text.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe netwatch_re2_search(compiled, $0.baseAddress, $0.count)
            }
        }
        return switch outcome {
        case NETWATCH_RE2_MATCH: .match
        case NETWATCH_RE2_NO_MATCH: .noMatch
        default: .tooCostly
        }
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
