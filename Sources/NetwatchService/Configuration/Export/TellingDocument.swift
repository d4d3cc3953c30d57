package import Connectivity
package import Netwatch

extension DocumentObject {
    /// Kinds of events, as `netwatch --json` names them.
    package func kinds(_ key: Keys) throws(ConfigurationError) -> Set<Event.Kind>? {
        let known = Event.Kind.allCases.filter { $0 != .result }
        let expected = "a list of kinds of events, of " + known.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard let words = try strings(key, expected: expected) else { return nil }
        var kinds: Set<Event.Kind> = []
        for (index, word) in words.enumerated() {
            guard let kind = known.first(where: { $0.rawValue == word }) else {
                throw .invalid(
                    key: "\(path(of: key))[\(index)]",
                    reason: "expected one of \(known.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), "
                        + "found \"\(DisplayableText.escaped(word))\"")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
