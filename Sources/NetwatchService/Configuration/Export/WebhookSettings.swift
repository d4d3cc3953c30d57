package import FoundationEssentials
import Netwatch
import RequestEngine

/// Where events are posted to: one of `service.webhooks`.
package struct WebhookSettings: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// Each event as `netwatch --json` writes it.
        case netwatch
        /// Alerts for what is down, to the API of Alertmanager.
        case alertmanager
    }

    /// It may have a secret in its path or its query.
    package var url: URL
    package var format = Format.netwatch
    var filter = EventFilter(kinds: [], targets: [])
    /// How long a request may take.
    package var timeout = Duration.seconds(10)
    package var headers: [String: String] = [:]
    /// A file that begins with the token to send. It is read anew for each request, as the two others are.
    package var tokenFile: String?
    package var user: String?
    package var passwordFile: String?
    /// A file that begins with the key that bodies are signed with.
    package var secretFile: String?
    package var caFile: String?

    package init(url: URL) {
        self.url = url
    }

    /// What it is called: by its host, because its address may have a secret in it.
    var name: String { "webhook-\(url.host() ?? "")" }

    /// - Throws: ``ConfigurationError`` for a file that this user may not read, or that holds no password or key.
    func checkFiles(at key: String) throws(ConfigurationError) {
        let files: [(key: String, path: String?)] = [
            ("tokenFile", tokenFile), ("passwordFile", passwordFile), ("secretFile", secretFile), ("caFile", caFile),
        ]
        try ConfigurationError.checkReadable(files, at: key)
        let secrets: [(key: String, purpose: SecretLine.Purpose, path: String?)] = [
            ("passwordFile", .password, passwordFile), ("secretFile", .signatureKey, secretFile),
        ]
        for secret in secrets {
            guard let path = secret.path else { continue }
            do throws(SecretLineError) {
                _ = try SecretLine(secret.purpose, file: path)
            } catch {
                throw .invalid(key: "\(key).\(secret.key)", reason: DisplayText.safe("\(error)"))
            }
        }
    }

    /// The same with names of credentials that systemd hands over in the place of paths.
    func finding(credentialsIn folder: String?) -> WebhookSettings {
        guard let folder else { return self }
        func path(_ name: String?) -> String? {
            name.map { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) ? $0 : folder + "/" + $0 }
        }
        var settings = self
        (settings.tokenFile, settings.passwordFile) = (path(tokenFile), path(passwordFile))
        (settings.secretFile, settings.caFile) = (path(secretFile), path(caFile))
        return settings
    }
}
