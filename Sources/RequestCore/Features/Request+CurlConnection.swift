import FoundationEssentials
import Glibc
import NetworkAddress

extension Request {
    /// The options of curl(1) that say how the server is reached.
    var connectionOptions: [String] {
        interfaceOptions + addressOptions + versionOptions + timeoutOptions + proxyOptions
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
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { name in
            guard let index = UInt32(exactly: index), let start = name.baseAddress,
                if_indextoname(index, start) != nil
            else { return nil }
            return String(cString: start)
        }
    }

    private var addressOptions: [String] {
        let family: [String] =
            switch self.family {
            case .ipv4: ["--ipv4"]
            case .ipv6: ["--ipv6"]
            case nil: []
            }
        guard let addresses, !addresses.isEmpty, let host = url.host(percentEncoded: false) else { return family }
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

    private var proxyOptions: [String] {
        switch proxy {
        case .direct: ["--noproxy", "*"]
        case .proxy(let proxy): ["--proxy", proxy.url]
        case .environment, nil: []
        }
    }
}
