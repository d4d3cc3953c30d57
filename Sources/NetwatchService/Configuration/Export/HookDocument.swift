import Connectivity
import Netwatch

/// One element of the section `service.hooks`.
package struct HookDocument: Sendable {
    package enum Keys: String, CodingKey, CaseIterable {
        case command, kinds, targets, timeout
    }

    /// More programs than are of use for one event.
    private static let most = 16
    private static let commandWords = "the absolute path of a program and its arguments, [\"/usr/local/bin/notify\"]"

    let settings: HookSettings

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<Keys>(
            node, at: path, expected: "an object such as {\"command\": [\"/usr/local/bin/notify\"]}")
        guard let command = try values.strings(.command, expected: Self.commandWords) else {
            throw .invalid(key: values.path(of: .command), reason: "expected \(Self.commandWords), found nothing")
        }
        guard let program = command.first, program.hasPrefix("/"), !program.hasSuffix("/") else {
            throw .invalid(key: values.path(of: .command), reason: "expected \(Self.commandWords)")
        }
        guard !command.contains(where: { $0.utf8.contains(0) }) else {
            throw .invalid(key: values.path(of: .command), reason: "there is a NUL in it, which no argument can have")
        }
        var settings = HookSettings(command: command)
        try values.kinds(.kinds).map { settings.filter.kinds = $0 }
        try values.strings(.targets, expected: "a list of targets, [\"shop\"]").map {
            settings.filter.targets = Set($0)
        }
        try values.duration(.timeout).map { settings.timeout = $0 }
        self.settings = settings
    }

    static func all(_ node: DocumentNode, at path: String) throws(ConfigurationError) -> [HookSettings] {
        let elements = try node.list(at: path, most: most, expected: "a list of hooks, [{\"command\": [\"/bin/a\"]}]")
        var all: [HookSettings] = []
        for element in elements { all.append(try HookDocument(element.node, at: element.path).settings) }
        return all
    }
}
