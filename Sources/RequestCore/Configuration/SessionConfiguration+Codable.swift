public import RequestEngine

/// A configuration as a file has it: what is not said is as in the default one, and a member that is not known is an
/// error. Interceptors and monitors are the program's, and are not written.
extension SessionConfiguration: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case timeouts, headers, maximumBodySize, maximumHeaderSize, httpVersion, maximumConnectionsPerHost
        case maximumConcurrentRequests, cookies, proxy, unixSocket, addresses, interface, sourceAddress, family
        case cachePolicy, acceptsCompression, securityPolicies
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try container.decodeIfPresent(Value.self, forKey: key)
        }
        self.init()
        if container.contains(.timeouts) {
            timeouts = try Timeouts(from: container.superDecoder(forKey: .timeouts), standard: timeouts)
        }
        headers = try value(.headers, headers)
        maximumBodySize = try value(.maximumBodySize, maximumBodySize)
        maximumHeaderSize = try value(.maximumHeaderSize, maximumHeaderSize)
        httpVersion = try value(.httpVersion, httpVersion)
        maximumConnectionsPerHost = try value(.maximumConnectionsPerHost, maximumConnectionsPerHost)
        maximumConcurrentRequests = try optional(.maximumConcurrentRequests)
        cookies = try value(.cookies, cookies)
        proxy = try value(.proxy, proxy)
        unixSocket = try optional(.unixSocket)
        addresses = try value(.addresses, addresses)
        interface = try optional(.interface)
        sourceAddress = try optional(.sourceAddress)
        family = try optional(.family)
        cachePolicy = try value(.cachePolicy, cachePolicy)
        acceptsCompression = try value(.acceptsCompression, acceptsCompression)
        securityPolicies = try value(.securityPolicies, securityPolicies)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(timeouts, forKey: .timeouts)
        try container.encode(headers, forKey: .headers)
        try container.encode(maximumBodySize, forKey: .maximumBodySize)
        try container.encode(maximumHeaderSize, forKey: .maximumHeaderSize)
        try container.encode(httpVersion, forKey: .httpVersion)
        try container.encode(maximumConnectionsPerHost, forKey: .maximumConnectionsPerHost)
        try container.encodeIfPresent(maximumConcurrentRequests, forKey: .maximumConcurrentRequests)
        try container.encode(cookies, forKey: .cookies)
        try container.encode(proxy, forKey: .proxy)
        try container.encodeIfPresent(unixSocket, forKey: .unixSocket)
        try container.encode(addresses, forKey: .addresses)
        try container.encodeIfPresent(interface, forKey: .interface)
        try container.encodeIfPresent(sourceAddress, forKey: .sourceAddress)
        try container.encodeIfPresent(family, forKey: .family)
        try container.encode(cachePolicy, forKey: .cachePolicy)
        try container.encode(acceptsCompression, forKey: .acceptsCompression)
        try container.encode(securityPolicies, forKey: .securityPolicies)
    }
}
