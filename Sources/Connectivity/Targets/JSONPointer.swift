internal import JSON

/// A place in a JSON text (RFC 6901).
struct JSONPointer: Hashable {
    /// Names of members, or places in arrays, from the outside in.
    let tokens: [String]

    /// Reads a pointer; nil where the text is none: it is empty or begins with a slash, and `~` stands for itself as `~0`
    /// and for a slash as `~1`.
    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The value at this place; nil where there is none.
    func value(in root: JSONValue) -> JSONValue? {
        tokens.reduce(root as JSONValue?) { value, token in value.flatMap { Self.step(into: $0, token) } }
    }

    private static func step(into value: JSONValue, _ token: String) -> JSONValue? {
        guard value.arrayValue != nil else { return value[token] }
        // Digits alone, and no zero before others (section 4).
        guard token.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), token == "0" || !token.hasPrefix("0") else { return nil }
        return Int(token).flatMap { value[$0] }
    }

    private static func unescaped(_ part: Substring) -> String? {
        var token = ""
        var rest = part[...]
        while let tilde = rest.firstIndex(of: "~") {
            token += rest[..<tilde]
            let after = rest.index(after: tilde)
            guard after < rest.endIndex, let character = ["0": "~", "1": "/"][rest[after]] else { return nil }
            token += character
            rest = rest[rest.index(after: after)...]
        }
        return token + rest
    }
}
