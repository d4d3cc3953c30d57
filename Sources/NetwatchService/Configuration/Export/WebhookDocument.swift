import FoundationEssentials
import Netwatch
import RequestEngine

/// One element of the section `service.webhooks`.
package struct WebhookDocument: Sendable {
    package enum Keys: String, CodingKey, CaseIterable {
        case url, format, kinds, targets, timeout, headers, tokenFile, user, passwordFile, secretFile, caFile
    }

    private static let most = 16
    private static let ownFields = ["content-length", "transfer-encoding", "idempotency-key", "x-netwatch-signature"]
    private static let fileWords = "the path of a file, or the name of a systemd credential"

    let settings: WebhookSettings

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<Keys>(
            node, at: path, expected: "an object such as {\"url\": \"https://example.org/hook\"}")
        let url = try values.address(
            .url, such: "https://example.org/hook", secret: "write user and passwordFile beside it")
        var settings = WebhookSettings(url: url)
        try values.word(.format, WebhookSettings.Format.allCases).map { settings.format = $0 }
        try values.kinds(.kinds).map { settings.filter.kinds = $0 }
        try values.strings(.targets, expected: "a list of targets, [\"shop\"]").map {
            settings.filter.targets = Set($0)
        }
        try values.duration(.timeout).map { settings.timeout = $0 }
        try Self.headers(values).map { settings.headers = $0 }
        settings.tokenFile = try values.string(.tokenFile, expected: Self.fileWords)
        settings.user = try values.string(.user, expected: "a user's name")
        settings.passwordFile = try values.string(.passwordFile, expected: Self.fileWords)
        settings.secretFile = try values.string(.secretFile, expected: Self.fileWords)
        settings.caFile = try values.string(.caFile, expected: Self.fileWords)
        try Self.check(settings, values)
        self.settings = settings
    }

    static func all(_ node: DocumentNode, at path: String) throws(ConfigurationError) -> [WebhookSettings] {
        let elements = try node.list(
            at: path, most: most, expected: "a list of webhooks, [{\"url\": \"https://example.org/hook\"}]")
        var all: [WebhookSettings] = []
        for element in elements {
            let settings = try WebhookDocument(element.node, at: element.path).settings
            // How far each is delivered is kept by its address.
            guard !all.contains(where: { $0.url == settings.url && $0.format == settings.format }) else {
                throw .invalid(key: "\(element.path).url", reason: "another webhook has the same address")
            }
            all.append(settings)
        }
        return all
    }

    // MARK: Parts

    private static func headers(_ values: DocumentObject<Keys>) throws(ConfigurationError) -> [String: String]? {
        guard let headers = try values.stringTable(.headers, expected: "header fields, {\"X-Team\": \"net\"}") else {
            return nil
        }
        for (name, value) in headers {
            let key = "\(values.path(of: .headers)).\(name)"
            guard Token.isToken(name) else {
                throw .invalid(key: key, reason: "that is no field's name (RFC 9110, 5.1)")
            }
            guard !value.utf8.contains(where: Token.breaksLine) else {
                throw .invalid(key: key, reason: "its value is more than one line")
            }
            guard !ownFields.contains(name.lowercased()) else {
                throw .invalid(key: key, reason: "that field is set by netwatch itself")
            }
            if name.lowercased() == "authorization" {
                throw .invalid(
                    key: key, reason: "write tokenFile, or user and passwordFile: a secret has a file of its own")
            }
        }
        return headers
    }

    private static func check(_ settings: WebhookSettings, _ values: DocumentObject<Keys>) throws(ConfigurationError) {
        if settings.tokenFile != nil, settings.user != nil || settings.passwordFile != nil {
            throw .invalid(key: values.path(of: .tokenFile), reason: "either tokenFile, or user and passwordFile")
        }
        if settings.format == .alertmanager, !settings.filter.kinds.isEmpty {
            throw .invalid(key: values.path(of: .kinds), reason: "an Alertmanager is told states, and no events")
        }
        if (settings.user == nil) != (settings.passwordFile == nil) {
            let key: Keys = settings.user == nil ? .passwordFile : .user
            throw .invalid(key: values.path(of: key), reason: "user and passwordFile go together")
        }
        if settings.user?.utf8.contains(UInt8(ascii: ":")) == true {
            throw .invalid(key: values.path(of: .user), reason: "it may not have a colon in it (RFC 7617, 2)")
        }
    }
}
