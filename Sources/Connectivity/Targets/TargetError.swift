/// Why a target cannot be probed.
public enum TargetError: Error, Hashable, Sendable {
    case notAURL(String)
    case scheme(String, url: String)
    case noHost(url: String)
    /// A TCP target without a port, or a port that is none.
    case noPort(url: String)
    /// Two targets have one name, so that their results could not be told apart.
    case duplicateName(String)
    /// The regular expression of the expected body cannot be read.
    case expression(String, reason: String)
    /// An option of a target that it cannot have.
    case option(String, target: String, reason: String)
}

extension TargetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAURL(let text):
            "the target '\(text)' is not a URL; write it as http://HOST/PATH or https://HOST/PATH"
        case .scheme(let scheme, let url):
            "the target '\(url)' has the scheme '\(scheme)'; only http, https, tcp, tls, dns and icmp can be probed"
        case .noHost(let url):
            "the target '\(url)' names no host; write it as http://HOST/PATH"
        case .noPort(let url):
            "the target '\(url)' names no port from 1 to 65535; write it as tcp://HOST:PORT"
        case .duplicateName(let name):
            "two targets are named '\(name)'; give each a name of its own"
        case .expression(let pattern, let reason):
            "the expression '\(pattern)' cannot be read: \(reason)"
        case .option(let option, let target, let reason):
            "the target '\(target)' cannot have this \(option): \(reason)"
        }
    }
}
