import FoundationEssentials
public import RequestEngine

/// A request as a command line of curl(1) for a POSIX shell, to be repeated by hand or put into a report.
///
/// What fields, cookies, the credential, the proxy and the user part of the URL hold of secrets is replaced by
/// `<redacted>` unless it is asked for. The query and the body are shown as they are: look at them before you pass the
/// command on. A body that cannot stand in a command line is read from a file or from standard input.
public struct CurlCommand: Sendable {
    /// Whether secrets are shown. The query and the body always are.
    public enum Secrets: Sendable {
        case hidden
        case shown
    }

    /// The words after `curl`, without any quotes.
    public let arguments: [String]
    /// What gives curl the body where it is read from standard input.
    private let input: String?

    /// The request by itself, without what a session adds.
    public init(_ request: Request, secrets: Secrets = .hidden) {
        self.init(request, secrets, [])
    }

    /// The request as a session sends it: with the session's fields, cookies, proxy, interface and all that the request
    /// leaves to it.
    ///
    /// - Parameters:
    ///   - request: What is sent.
    ///   - configuration: The session's, whose fields, proxy and interface are added.
    ///   - cookies: The session's cookies (``Session/cookies``), of which those for the URL are sent.
    ///   - secrets: Whether passwords, tokens and the like are shown or replaced, but in the query and the body.
    public init(
        _ request: Request, sentWith configuration: SessionConfiguration, cookies: [String] = [],
        secrets: Secrets = .hidden
    ) {
        var options = configuration.unixSocket.map { ["--unix-socket", $0] } ?? []
        let pairs = request.usesCookies ? CookieLine.pairs(of: cookies, for: request.url) : []
        if !pairs.isEmpty {
            let shown = pairs.map { "\($0.name)=\(secrets == .hidden ? "<redacted>" : $0.value)" }
            options += ["--cookie", shown.joined(separator: "; ")]
        }
        self.init(request.completed(by: configuration), secrets, options)
    }

    private init(_ request: Request, _ secrets: Secrets, _ more: [String]) {
        let body = CurlBody(request)
        input = body.input
        arguments =
            ["--verbose", "--globoff"] + request.methodOptions + request.connectionOptions
            + request.proxyOptions(secrets) + more
            + request.headerOptions(secrets, body) + request.credentialOptions(secrets)
            + body.options + [request.urlText(secrets)]
    }
}

extension CurlCommand: CustomStringConvertible {
    /// The whole command, one option a line.
    public var description: String {
        let words = arguments.map(ShellQuoting.quote)
        let lines = words.reduce(into: ["curl"]) { lines, word in
            let isValue =
                lines.last.map { $0.hasPrefix("--") && !$0.contains(" ") && CurlCommand.takesValue($0) } ?? false
            if isValue { lines[lines.count - 1] += " " + word } else { lines.append(word) }
        }
        return (input.map { $0 + " | " } ?? "") + lines.joined(separator: " \\\n\t")
    }

    private static func takesValue(_ option: String) -> Bool {
        ![
            "--verbose", "--globoff", "--head", "--compressed", "--http1.1", "--http2", "--http2-prior-knowledge",
            "--ipv4",
            "--ipv6", "--basic", "--digest", "--negotiate",
        ].contains(option)
    }
}
