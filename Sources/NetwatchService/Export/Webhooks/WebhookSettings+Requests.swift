import FoundationEssentials
import Netwatch
import RequestEngine

/// The requests of a webhook.
extension WebhookSettings {
    /// A request that tells of something, in JSON. The secrets are read now, so that new ones are used at once.
    ///
    /// - Parameter id: The same for each attempt to tell the same.
    /// - Throws: ``AccessTokenError`` or ``SecretLineError`` where a secret cannot be read.
    func request(_ body: [UInt8], id: String?) throws -> Request {
        var request = Request(url: url, method: .post, headers: ["Content-Type": "application/json"])
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { request.headers[name] = value }
        if let id { request.headers["Idempotency-Key"] = id }
        if let file = tokenFile {
            request.headers.set(.authorization(bearerToken: try AccessToken(file: file).text))
        } else if let user, let file = passwordFile {
            // Its bytes go as they are: a password need not be UTF-8.
            let password = try SecretLine(.password, file: file).bytes
            let credentials = Data(Array("\(user):".utf8) + password).base64EncodedString()
            request.headers["Authorization"] = "Basic \(credentials)"
        }
        if let file = secretFile {
            let key = try SecretLine(.signatureKey, file: file).bytes
            request.headers["X-Netwatch-Signature"] = "sha256=\(SHA256Digest(authenticating: body, key: key))"
        }
        request.body = .data(Data(body))
        return request
    }

    /// How they are sent: one at a time, by the way that all traffic takes.
    func sessionConfiguration() -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.timeouts = Timeouts(connect: min(.seconds(5), timeout), idle: timeout, total: timeout)
        configuration.maximumBodySize = 64 << 10
        configuration.maximumConnectionsPerHost = 1
        if let file = caFile { configuration.securityPolicies.other?.anchors = .file(file) }
        return configuration
    }
}
