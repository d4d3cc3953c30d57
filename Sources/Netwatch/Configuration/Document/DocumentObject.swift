/// An object of a configuration document, whose keys are read one by one. What is wrong is told in the words of the document.
/// A key whose value is null counts as left out.
package struct DocumentObject<Keys: CodingKey & CaseIterable & Hashable>: Sendable {
    /// Where it stands, such as `targets[0]`; empty for the whole.
    let path: String
    private let members: [String: DocumentNode]

    /// - Parameters:
    ///   - expected: What has to stand there, as the end of a sentence.
    ///   - others: Keys of other readers, which are passed over.
    /// - Throws: ``ConfigurationError`` where it is no object, or has another key than these.
    package init(
        _ node: DocumentNode, at path: String, expected: String, besides others: [String] = []
    ) throws(ConfigurationError) {
        guard case .object(let members) = node.value else { throw .mismatch(path, expected: expected, node) }
        self.path = path
        let known = Set(Keys.allCases.map(\.stringValue) + others)
        if let unknown = members.first(where: { !known.contains($0.key) }) {
            throw .unknownKey(Self.path(path, unknown.key), known: known.sorted())
        }
        self.members = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The path of a key's value.
    package func path(of key: Keys) -> String { Self.path(path, key.stringValue) }

    /// The value of a key; nil where it is left out.
    package func node(_ key: Keys) -> DocumentNode? {
        nodeOrNull(key).flatMap { $0.isNull ? nil : $0 }
    }

    /// The same where null is a value.
    func nodeOrNull(_ key: Keys) -> DocumentNode? { members[key.stringValue] }

    private static func path(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    package func mismatch(_ key: Keys, expected: String, _ node: DocumentNode) -> ConfigurationError {
        .mismatch(path(of: key), expected: expected, node)
    }

    // MARK: Values

    package func string(_ key: Keys, expected: String = "a string") throws(ConfigurationError) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.text else { throw mismatch(key, expected: expected, node) }
        return text
    }

    package func flag(_ key: Keys) throws(ConfigurationError) -> Bool? {
        guard let node = node(key) else { return nil }
        guard let flag = node.flag else { throw mismatch(key, expected: "true or false", node) }
        return flag
    }

    func number(_ key: Keys) throws(ConfigurationError) -> Double? {
        guard let node = node(key) else { return nil }
        guard let text = node.number, let number = Double(text), number.isFinite else {
            throw mismatch(key, expected: "a number", node)
        }
        return number
    }

    package func wholeNumber(_ key: Keys) throws(ConfigurationError) -> Int? {
        guard let node = node(key) else { return nil }
        guard let text = node.number, let number = Double(text), let whole = Int(exactly: number) else {
            throw mismatch(key, expected: "a whole number", node)
        }
        return whole
    }

    package func wholeNumber(_ key: Keys, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let number = try wholeNumber(key) else { return nil }
        guard range.contains(number) else {
            throw .invalid(
                key: path(of: key),
                reason: "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
        }
        return number
    }

    /// A time that is written as on the command line, `"30s"`, or as a number of seconds.
    package func duration(_ key: Keys) throws(ConfigurationError) -> Duration? {
        guard let node = node(key) else { return nil }
        let seconds = node.number.map { Double($0).flatMap { abs($0) <= 1e9 ? Duration.seconds($0) : nil } }
        let duration = seconds ?? node.text.flatMap { Duration(text: $0) }
        guard let duration, duration > .zero, duration <= .seconds(86_400) else {
            throw mismatch(
                key,
                expected: "seconds or a time such as \"30s\", \"500ms\" or \"5m\", more than 0 and at most 86400 s",
                node)
        }
        return duration
    }

    /// One of a few words.
    package func word<Word: RawRepresentable<String>>(_ key: Keys, _ words: [Word]) throws(ConfigurationError) -> Word?
    {
        guard let node = node(key) else { return nil }
        guard let text = node.text, let word = words.first(where: { $0.rawValue == text }) else {
            throw mismatch(
                key, expected: "one of \(words.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))", node)
        }
        return word
    }

    // MARK: Lists and objects

    /// The elements of a list, each with its path.
    func list(_ key: Keys, expected: String) throws(ConfigurationError) -> [(path: String, node: DocumentNode)]? {
        guard let node = node(key) else { return nil }
        return try node.list(at: path(of: key), expected: expected)
    }

    package func strings(_ key: Keys, expected: String) throws(ConfigurationError) -> [String]? {
        try node(key)?.strings(at: path(of: key), expected: expected)
    }

    /// The members of an object with keys of the user's choice, each with its path.
    package func table(_ key: Keys, expected: String) throws(ConfigurationError) -> [(
        key: String, path: String, node: DocumentNode
    )]? {
        guard let node = node(key) else { return nil }
        guard case .object(let members) = node.value else { throw mismatch(key, expected: expected, node) }
        return members.map { ($0.key, "\(path(of: key)).\($0.key)", $0.value) }
    }

    package func stringTable(_ key: Keys, expected: String) throws(ConfigurationError) -> [String: String]? {
        guard let members = try table(key, expected: expected) else { return nil }
        var table: [String: String] = [:]
        for member in members {
            guard let text = member.node.text else {
                throw .mismatch(member.path, expected: "a string", member.node)
            }
            table[member.key] = text
        }
        return table
    }
}

extension DocumentNode {
    /// The elements of a list, each with its path.
    package func list(
        at path: String, most: Int = .max, expected: String
    ) throws(ConfigurationError) -> [(path: String, node: DocumentNode)] {
        guard case .list(let elements) = value else { throw .mismatch(path, expected: expected, self) }
        guard elements.count <= most else {
            throw .invalid(key: path, reason: "expected \(most) at most, found \(elements.count)")
        }
        return elements.enumerated().map { ("\(path)[\($0.offset)]", $0.element) }
    }

    package func strings(at path: String, expected: String) throws(ConfigurationError) -> [String] {
        var strings: [String] = []
        for (path, element) in try list(at: path, expected: expected) {
            guard let text = element.text else { throw .mismatch(path, expected: "a string", element) }
            strings.append(text)
        }
        return strings
    }
}

extension ConfigurationError {
    package static func mismatch(_ path: String, expected: String, _ node: DocumentNode) -> ConfigurationError {
        guard !path.isEmpty else { return .unreadable("it has to begin with { and end with }") }
        return .invalid(key: path, reason: "expected \(expected), found \(node.found)")
    }
}
