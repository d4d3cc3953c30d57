/// Why a target cannot be probed.
public enum TargetError: Error, Hashable, Sendable {
    case notAURL(String)
    case scheme(String, url: String)
    case noHost(url: String)
    /// A TCP target without a port, or a port that is none.
    case noPort(url: String)
    /// An IPv6 address with a zone, which is an interface by another name.
    case zone(url: String)
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
            "the target '\(Self.short(text))' is not a URL: \(Self.flaw(of: text))"
        case .scheme(let scheme, let url):
            "the target '\(Self.short(url))' has the scheme '\(Self.short(scheme))'; only http, https, tcp, tls, dns and icmp can be probed"
        case .noHost(let url):
            "the target '\(Self.short(url))' names no host; write it as \(Self.example(of: url))"
        case .noPort(let url):
            "the target '\(Self.short(url))' names no port from 1 to 65535; write it as \(Self.example(of: url))"
        case .zone(let url):
            "the target '\(Self.short(url))' names a zone; write the address without it, and name the interface apart, by \"interface\" or --interface"
        case .duplicateName(let name):
            "two targets are named '\(name)'; give each a name of its own"
        case .expression(let pattern, let reason):
            "the expression '\(Self.short(pattern))' cannot be used: \(reason)"
        case .option(let option, let target, let reason):
            "the target '\(target)' cannot have this \(option): \(reason)"
        }
    }
}

extension TargetError {
    /// So much of a text from outside as a sentence can hold.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 200 ? text : "\(text.prefix(100))… (\(text.utf8.count) bytes)"
    }

    private static func flaw(of text: String) -> String {
        if text.utf8.count > URLParts.longest { return "it is longer than \(URLParts.longest) bytes" }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "it holds a blank; write that as %20" }
        if text.utf8.contains(where: { $0 > 0x7F }) {
            return
                "it holds other letters than ASCII; write a host as xn--…, as `idn` prints it, and the rest as %C3%BC"
        }
        return "write it as http://HOST/PATH or https://HOST/PATH"
    }

    /// How a URL of the same scheme looks.
    private static func example(of url: String) -> String {
        switch url.prefix(while: { $0 != ":" }).lowercased() {
        case "tcp": "tcp://HOST:PORT"
        case "tls": "tls://HOST:PORT"
        case "dns": "dns://SERVER/NAME?type=AAAA, or dns://SERVER:PORT/NAME"
        case "icmp": "icmp://HOST"
        case "https": "https://HOST/PATH or https://HOST:PORT/PATH"
        default: "http://HOST/PATH or http://HOST:PORT/PATH"
        }
    }
}
