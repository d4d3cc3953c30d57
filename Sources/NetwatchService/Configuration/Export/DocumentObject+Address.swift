import FoundationEssentials
import Netwatch
import RequestEngine

extension DocumentObject {
    /// An address of HTTP that something is sent to. It may hold a password or a key, so it is not repeated where it cannot be
    /// used.
    ///
    /// - Parameter secret: Where its user and password belong, as the end of a sentence.
    func address(_ key: Keys, such example: String, secret: String) throws(ConfigurationError) -> URL {
        let path = path(of: key)
        guard let text = try string(key), let url = URL(string: text), ["http", "https"].contains(url.scheme),
            let host = url.host(), !host.isEmpty, url.asciiHost != nil
        else { throw .invalid(key: path, reason: "expected an address such as \(example)") }
        guard url.port.map({ (1...65535).contains($0) }) ?? true else {
            throw .invalid(key: path, reason: "it names no port from 1 to 65535; write it as \(example)")
        }
        guard url.user() == nil, url.password() == nil else {
            throw .invalid(key: path, reason: "there is a user in it: \(secret)")
        }
        return url
    }
}
