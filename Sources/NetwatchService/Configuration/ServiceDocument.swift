package import Netwatch

/// The section `service` of a configuration document: how the program serves.
package struct ServiceDocument: Sendable {
    /// The key of the section.
    package static let key = "service"

    /// Its keys.
    package enum Keys: String, CodingKey, CaseIterable {
        case listen, socket, tokenFile, openToAll, hosts, maximumConnections, maximumReaders, modules, targetHistograms
        case history, name, labels, mqtt, push, hooks, webhooks
    }

    /// What the section says; all that it leaves out is as by default.
    package let configuration: ServiceConfiguration

    /// - Parameter root: The whole document.
    /// - Throws: ``ConfigurationError`` that names the key; only its reader knows its place.
    package init(_ root: DocumentNode) throws(ConfigurationError) {
        guard case .object(let members) = root.value,
            let section = members.first(where: { $0.key == Self.key })?.value, !section.isNothing
        else {
            configuration = ServiceConfiguration()
            return
        }
        let values = try DocumentObject<Keys>(
            section, at: Self.key, expected: "an object such as {\"listen\": \"127.0.0.1:19115\"}")
        var configuration = ServiceConfiguration()
        try Self.listen(values).map { configuration.listen = $0 }
        switch values.node(.socket)?.text {
        case "none"?: configuration.socket = .none
        case _?:
            let path = try values.string(.socket, expected: Self.socketWords)
            // An empty one would be an abstract address, which no folder and no mode protects (unix(7)).
            if let node = values.node(.socket), let path, !(1...Self.longestSocket).contains(path.utf8.count) {
                throw values.mismatch(
                    .socket, expected: "a path of 1 to \(Self.longestSocket) bytes, or \"none\"", node)
            }
            configuration.socket = path.map { .path($0) } ?? .usual
        case nil:
            if let node = values.node(.socket) { throw values.mismatch(.socket, expected: Self.socketWords, node) }
        }
        configuration.tokenFile = try values.string(.tokenFile, expected: "the path of a file")
        try values.flag(.openToAll).map { configuration.openToAll = $0 }
        try values.strings(.hosts, expected: "a list of names, [\"router.example\"]").map { configuration.hosts = $0 }
        let counts = 1...100_000
        try values.wholeNumber(.maximumConnections, in: counts).map { configuration.maximumConnections = $0 }
        try values.wholeNumber(.maximumReaders, in: counts).map { configuration.maximumReaders = $0 }
        try Self.modules(values).map { configuration.modules = $0 }
        try values.flag(.targetHistograms).map { configuration.targetHistograms = $0 }
        try values.node(.history).map { node throws(ConfigurationError) in
            configuration.history = try HistorySettingsDocument.settings(node, at: values.path(of: .history))
        }
        configuration.name = try values.string(.name, expected: "a name such as \"router-7\"")
        try configuration.name.map { (name) throws(ConfigurationError) in
            try HostLabels.check(name: name, at: values.path(of: .name))
        }
        try values.stringTable(.labels, expected: "an object such as {\"site\": \"Bern\"}").map {
            configuration.labels = $0
        }
        try HostLabels.check(labels: configuration.labels, at: values.path(of: .labels))
        configuration.mqtt = try values.node(.mqtt).map { (node) throws(ConfigurationError) in
            try MQTTDocument(node, at: values.path(of: .mqtt)).configuration
        }
        if let node = values.node(.push) {
            configuration.push = try PushDocument.all(node, at: values.path(of: .push))
        }
        if let node = values.node(.hooks) {
            configuration.hooks = try HookDocument.all(node, at: values.path(of: .hooks))
        }
        if let node = values.node(.webhooks) {
            configuration.webhooks = try WebhookDocument.all(node, at: values.path(of: .webhooks))
        }
        self.configuration = configuration
    }

    /// What SwiftNIO takes: less than `sun_path` has room for here (unix(7)).
    private static let longestSocket = 103
    private static let socketWords = "the path of a Unix socket, or \"none\""
    private static let listenWords = "an address and a port, \"127.0.0.1:19115\", or a list of them"

    private static func listen(_ values: DocumentObject<Keys>) throws(ConfigurationError) -> [ListenAddress]? {
        guard let node = values.node(.listen) else { return nil }
        guard node.text == nil else { return [try address(node.text ?? "", at: values.path(of: .listen))] }
        guard case .list = node.value else { throw values.mismatch(.listen, expected: listenWords, node) }
        let texts = try node.strings(at: values.path(of: .listen), expected: listenWords)
        var addresses: [ListenAddress] = []
        for (index, text) in texts.enumerated() {
            let key = "\(values.path(of: .listen))[\(index)]"
            let address = try address(text, at: key)
            guard address.port == 0 || !addresses.contains(address) else {
                throw .invalid(key: key, reason: "\(address) stands there twice")
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func address(_ text: String, at key: String) throws(ConfigurationError) -> ListenAddress {
        do throws(ListenAddress.Mistake) { return try ListenAddress(text) } catch {
            throw .invalid(key: key, reason: "\(error)")
        }
    }

    /// Each is a target whose URL has `{target}` where that goes which `/probe` is asked about.
    private static func modules(
        _ values: DocumentObject<Keys>
    ) throws(ConfigurationError) -> [String: ProbeModule]? {
        let expected = "modules by name, {\"health\": {\"url\": \"https://{target}/health\"}}"
        guard let members = try values.table(.modules, expected: expected) else { return nil }
        var modules: [String: ProbeModule] = [:]
        for member in members { modules[member.key] = try ProbeModule(member.node, at: member.path) }
        return modules
    }
}

extension DocumentNode {
    fileprivate var isNothing: Bool { if case .null = value { true } else { false } }
}
