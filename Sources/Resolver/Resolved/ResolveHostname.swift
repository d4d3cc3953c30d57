internal import FoundationEssentials
internal import NetworkAddress

/// The method `ResolveHostname` of systemd-resolved's varlink interface (`io.systemd.Resolve`).
struct ResolveHostname: Encodable {
    let method = "io.systemd.Resolve.ResolveHostname"
    let parameters: Parameters

    struct Parameters: Encodable {
        let name: String
        /// AF_INET 2, AF_INET6 10; nil for both.
        let family: Int?
        let ifindex: Int
        let flags: UInt64
    }

    /// SD_RESOLVED_NO_CACHE of `resolved-def.h`: what a name server said a while ago is no proof that it is there.
    private static let noCache: UInt64 = 1 << 12

    init(_ name: String, _ family: AddressFamily?, _ index: UInt32) {
        parameters = Parameters(
            name: name, family: family.map { $0 == .ipv4 ? 2 : 10 }, ifindex: Int(index), flags: Self.noCache)
    }

    /// What comes back: addresses, or an error by its name.
    struct Reply: Decodable {
        let error: String?
        let parameters: Parameters?

        struct Parameters: Decodable {
            let addresses: [Address]?
            /// Of `DNSError`: the DNS response code.
            let rcode: Int?
        }

        struct Address: Decodable {
            let address: [UInt8]
        }
    }
}

extension ResolveHostname.Reply {
    /// The addresses, IPv6's first as systemd-resolved orders them by RFC 6724, or what went wrong.
    func addresses(of name: String, _ family: AddressFamily?) throws(ResolverError) -> [IPAddress] {
        if let error { throw failure(error, name, family) }
        let found = (parameters?.addresses ?? []).compactMap { address in
            unsafe address.address.withUnsafeBytes { unsafe IPAddress(bytes: $0) }
        }
        guard !found.isEmpty else { throw .malformedAnswer(name) }
        return found
    }

    private func failure(_ error: String, _ name: String, _ family: AddressFamily?) -> ResolverError {
        switch error.split(separator: ".").last {
        case "NoNameServers"?: .noServers
        case "NoSuchResourceRecord"?: .noRecords(name, family == .ipv6 ? .aaaa : .a)
        case "DNSError"? where parameters?.rcode == 3: .nameNotFound(name)
        case "DNSError"?: .serverFailed(name, reason: "response code \(parameters?.rcode ?? -1)")
        case "QueryTimedOut"?: .timedOut(name, after: .zero)
        case "NetworkDown"?, "MaxAttemptsReached"?: .unreachable(name)
        case "MethodNotFound"?, "InvalidParameter"?: .setup(reason: "systemd-resolved does not know this call")
        default: .serverFailed(name, reason: error)
        }
    }
}
