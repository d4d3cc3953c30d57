import Netwatch

/// One place that values come from: a file, a variable of the environment, or a flag.
struct ConfigurationLayer {
    enum Source: Hashable {
        case file(String)
        case variable(String)
        case flag(String)
    }

    let source: Source
    let text: String
    let root: DocumentNode

    /// Where the value of a key is: `netwatch.yaml:12`, `NETWATCH_INTERVAL`; nil where this layer leaves it out.
    func place(of key: String) -> String? {
        guard root.holds(key[...]) else { return nil }
        switch source {
        case .variable(let name), .flag(let name): return name
        case .file(let path):
            let offset = root.offset(of: key[...], isKey: true)
            return "\(path):\(ConfigurationError.Place(offset, in: text).line)"
        }
    }

    /// The error as one of this layer's.
    func error(_ error: ConfigurationError) -> ConfigurationFileError {
        switch source {
        case .file(let path): .invalid(path: path, error.placed(in: root, of: text))
        case .variable(let name), .flag(let name): .invalid(path: name, error)
        }
    }

    /// Whether the first part of a key is here: of the service's keys the first two, because they are merged one by one.
    func hasSection(of key: String) -> Bool {
        let names = key.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
        var node = root
        for name in names.prefix(names.first == ServiceDocument.key ? 2 : 1) {
            guard case .object(let members) = node.value, let member = members.first(where: { $0.key == name }) else {
                return false
            }
            node = member.value
        }
        return true
    }
}

extension [ConfigurationLayer] {
    /// One document of all of them: a later one's keys go before those of an earlier one.
    var merged: DocumentNode {
        reduce(DocumentNode(value: .object([]), offset: 0)) { Self.merge($1.root, over: $0) }
    }

    private static func merge(_ new: DocumentNode, over old: DocumentNode) -> DocumentNode {
        guard case .object(let later) = new.value, case .object(let earlier) = old.value else { return new }
        var members = earlier
        for member in later {
            guard let index = members.firstIndex(where: { $0.key == member.key }) else {
                members.append(member)
                continue
            }
            let isSection = member.key == ServiceDocument.key
            members[index] =
                isSection
                ? .init(key: member.key, offset: member.offset, value: merge(member.value, over: members[index].value))
                : member
        }
        return DocumentNode(value: .object(members), offset: new.offset)
    }

    /// Where a key's value is in the layer that counts; nil for one that is as by default.
    func origin(of key: String) -> String? {
        last { $0.hasSection(of: key) }?.place(of: key)
    }

    /// The error as one of the layer's that has its key.
    func error(_ error: ConfigurationError) -> ConfigurationFileError {
        let layer = last { layer in error.key.map(layer.hasSection) ?? false } ?? first
        return layer?.error(error) ?? .invalid(path: "the configuration", error)
    }
}
