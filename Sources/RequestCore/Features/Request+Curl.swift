import FoundationEssentials
import Glibc
import NetworkAddress
public import RequestEngine

extension Request {
    /// The request as a command line of curl(1), without the secrets of fields, the credential, the proxy and the user
    /// part of the URL. The query and the body are shown as they are: look at them before you pass the command on.
    public var curlCommand: CurlCommand { CurlCommand(self) }

    var methodOptions: [String] {
        switch method {
        case .head where body == nil: ["--head"]
        case .get where body == nil: []
        default: ["--request", method.rawValue]
        }
    }

    func headerOptions(_ secrets: CurlCommand.Secrets, _ body: CurlBody) -> [String] {
        let shown = secrets == .hidden ? shownHeaders : headers
        let lines = shown.filter { !body.fields.contains($0.name.lowercased()) }.map {
            $0.value.isEmpty ? "\($0.name);" : $0.description
        }
        let suppressed = body.suppressed.filter { !headers.contains(name: $0) }.map { "\($0):" }
        return (lines + suppressed).flatMap { ["--header", $0] }
    }

    func urlText(_ secrets: CurlCommand.Secrets) -> String {
        secrets == .hidden ? url.absoluteString.withoutUserInfo : url.absoluteString
    }

    func credentialOptions(_ secrets: CurlCommand.Secrets) -> [String] {
        func secret(_ text: String) -> String { secrets == .hidden ? "<redacted>" : text }
        return switch credential {
        case nil: []
        case .basic(let user, let password): ["--basic", "--user", "\(user):\(secret(password))"]
        case .digest(let user, let password): ["--digest", "--user", "\(user):\(secret(password))"]
        case .bearer(let token): ["--oauth2-bearer", secret(token)]
        case .negotiate: ["--negotiate", "--user", ":"]
        }
    }

    /// The options of curl(1) that say how the server is reached.
    var connectionOptions: [String] {
        interfaceOptions + addressOptions + versionOptions + timeoutOptions
            + (acceptsCompression == true ? ["--compressed"] : [])
    }

    private var interfaceOptions: [String] {
        switch (interface, sourceAddress) {
        case (.name(let name)?, _): ["--interface", "if!\(name)"]
        case (.index(let index)?, _): Self.name(ofInterface: index).map { ["--interface", "if!\($0)"] } ?? []
        case (nil, let address?): ["--interface", "host!\(address)"]
        case (nil, nil): []
        }
    }

    private static func name(ofInterface index: Int) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { name in
            guard let index = UInt32(exactly: index), let start = name.baseAddress,
                unsafe if_indextoname(index, start) != nil
            else { return nil }
            return unsafe String(cString: start)
        }
    }

    private var addressOptions: [String] {
        let family: [String] =
            switch self.family {
            case .ipv4: ["--ipv4"]
            case .ipv6: ["--ipv6"]
            case nil: []
            }
        guard let addresses, !addresses.isEmpty, let host = url.asciiHost else { return family }
        let port = url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443)
        let list = addresses.map { $0.family == .ipv6 ? "[\($0)]" : "\($0)" }.joined(separator: ",")
        return family + ["--resolve", "\(host):\(port):\(list)"]
    }

    private var versionOptions: [String] {
        switch httpVersion {
        case .http1: ["--http1.1"]
        case .http2: [url.scheme?.lowercased() == "http" ? "--http2-prior-knowledge" : "--http2"]
        case .automatic, nil: []
        }
    }

    private var timeoutOptions: [String] {
        let connect = timeouts.connect.map { ["--connect-timeout", Self.seconds($0)] } ?? []
        let total = timeouts.total.map { ["--max-time", Self.seconds($0)] } ?? []
        return connect + total
    }

    private static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return Int64(exactly: seconds)?.description ?? seconds.description
    }

    func proxyOptions(_ secrets: CurlCommand.Secrets) -> [String] {
        switch proxy {
        case .direct: ["--noproxy", "*"]
        case .proxy(let proxy): proxy.options(secrets)
        case .environment, nil: []
        }
    }

    /// What a session makes of this request before it sends it.
    func completed(by configuration: SessionConfiguration) -> Request {
        var request = self
        var headers = configuration.headers
        for name in withheldHeaders { headers.remove(name) }
        request.headers = headers.merging(self.headers)
        request.options = options.merged(over: configuration.options)
        request.addresses = addresses ?? url.asciiHost.flatMap { configuration.addresses[$0.lowercased()] }
        return request
    }
}

extension Proxy {
    fileprivate func options(_ secrets: CurlCommand.Secrets) -> [String] {
        let password = secrets == .hidden ? self.password.map { _ in "<redacted>" } : self.password
        let name = user.map { ["--proxy-user", $0 + (password.map { ":\($0)" } ?? "")] } ?? []
        let authorities = authorities.map { ["--proxy-cacert", $0] } ?? []
        let exceptions = exceptions.isEmpty ? [] : ["--noproxy", exceptions.joined(separator: ",")]
        return ["--proxy", url] + name + authorities + exceptions
    }
}
