import Glibc
import Netwatch

/// The variables of the environment that stand for keys: `NETWATCH_RETRY_DELAY` for `retryDelay`, `NETWATCH_SERVICE_LISTEN`
/// for `service.listen`.
enum EnvironmentLayer {
    private static let prefix = "NETWATCH_"

    /// The variables that this process was started with, by name.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let pair = unsafe String(cString: text)
            unsafe entry += 1
            guard pair.hasPrefix(prefix), let equals = pair.firstIndex(of: "=") else { continue }
            variables[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
        }
        return variables
    }

    /// The layers of the variables that stand for keys, and the names of the others. An empty variable counts as left out.
    static func layers(
        of variables: [String: String]
    ) throws(ConfigurationFileError) -> (layers: [ConfigurationLayer], unknown: [String]) {
        var (layers, unknown): ([ConfigurationLayer], [String]) = ([], [])
        for (name, text) in variables.sorted(by: { $0.key < $1.key }) where !text.isEmpty {
            guard let path = keys[name] else {
                unknown.append(name)
                continue
            }
            do throws(ConfigurationError) {
                let value = try node(text)
                let root = path.reversed().reduce(value) { value, key in
                    DocumentNode(value: .object([.init(key: key, offset: 0, value: value)]), offset: 0)
                }
                layers.append(ConfigurationLayer(source: .variable(name), text: text, root: root))
            } catch {
                throw .invalid(path: name, error)
            }
        }
        return (layers, unknown)
    }

    /// What stands where a variable is unknown.
    static func warning(_ name: String) -> String {
        let suggestion = KeySuggestion.suggestion(for: name, among: Array(keys.keys)).map { "; did you mean \($0)?" }
        return "the environment's \(DisplayText.safe(name)) means nothing here\(suggestion ?? "")"
    }

    /// The path of the key that each variable stands for.
    private static let keys: [String: [String]] = Dictionary(
        uniqueKeysWithValues: ConfigurationDocument.keys.map { (name([$0]), [$0]) }
            + ServiceDocument.Keys.allCases.map { [ServiceDocument.key, $0.stringValue] }.map { (name($0), $0) })

    static func name(_ path: [String]) -> String {
        prefix + path.map(upperSnake).joined(separator: "_")
    }

    /// `retryDelay` is `RETRY_DELAY`, `portalAPIs` is `PORTAL_APIS`.
    private static func upperSnake(_ key: String) -> String {
        var result = ""
        var before: Character = "A"
        for letter in key {
            if letter.isUppercase, before.isLowercase { result += "_" }
            result += letter.uppercased()
            before = letter
        }
        return result
    }

    /// A list or an object as YAML writes it in one line, else the text as it is.
    private static func node(_ text: String) throws(ConfigurationError) -> DocumentNode {
        if text.hasPrefix("{") { return try YAMLParser.parse(text) }
        // "[::1]:19115" is an address.
        if text.hasPrefix("["), let root = try? YAMLParser.parse("value: \(text)"),
            case .object(let members) = root.value, let value = members.first?.value
        {
            return DocumentNode(value: value.value, offset: 0)
        }
        return DocumentNode(value: .plain(text), offset: 0)
    }
}
