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

extension DocumentNode {
    /// The elements of a list, each with its path.
    func elements(
        at path: String, most: Int, expected: String
    ) throws(ConfigurationError) -> [(path: String, node: DocumentNode)] {
        guard case .list(let elements) = value else { throw .mismatch(path, expected: expected, self) }
        guard elements.count <= most else {
            throw .invalid(key: path, reason: "expected \(most) at most, found \(elements.count)")
        }
        return elements.enumerated().map { ("\(path)[\($0.offset)]", $0.element) }
    }
}
