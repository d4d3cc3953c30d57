import NetworkAddress
public import RequestEngine

/// `["Accept: text/plain", "X-Mine: 1"]`, in their order.
extension HeaderFields: Codable {
    public init(from decoder: any Decoder) throws {
        self.init()
        for line in try [String](from: decoder) {
            do {
                let field = try Field(line: line.utf8)
                append(field.name, field.value)
            } catch { throw decoder.corrupted("\(error)") }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try map(\.description).encode(to: encoder)
    }
}

/// `"none"`, `"memory"`, or `{"file": PATH}`.
extension CookieStorage: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case file
    }

    public init(from decoder: any Decoder) throws {
        switch try? decoder.singleValueContainer().decode(String.self) {
        case "none": self = .none
        case "memory": self = .memory
        case let word?: throw decoder.corrupted("\"\(word)\" keeps no cookies: write \"none\", \"memory\" or a file")
        case nil:
            try decoder.refuseUnknownKeys(CodingKeys.self)
            self = .file(path: try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .file))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .none: try encoder.encode(text: "none")
        case .memory: try encoder.encode(text: "memory")
        case .file(let path):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(path, forKey: .file)
        }
    }
}

/// `"direct"`, `"environment"`, or a proxy.
extension ProxyPolicy: Codable {
    public init(from decoder: any Decoder) throws {
        switch try? decoder.singleValueContainer().decode(String.self) {
        case "direct": self = .direct
        case "environment": self = .environment
        case let word?:
            throw decoder.corrupted("\"\(word)\" is no proxy: write \"direct\", \"environment\" or an object")
        case nil: self = .proxy(try Proxy(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .direct: try encoder.encode(text: "direct")
        case .environment: try encoder.encode(text: "environment")
        case .proxy(let proxy): try proxy.encode(to: encoder)
        }
    }
}

/// `{"kind": "socks5h", "host": "proxy.test", "port": 1080}`. A password is written as it is.
extension Proxy: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, host, port, user, password, authorities, addresses, exceptions
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let port = try container.decode(Int.self, forKey: .port)
        guard (1...65535).contains(port) else { throw decoder.corrupted("\(port) is no port from 1 to 65535") }
        self.init(
            try container.decode(Kind.self, forKey: .kind), host: try container.decode(String.self, forKey: .host),
            port: port,
            user: try container.decodeIfPresent(String.self, forKey: .user),
            password: try container.decodeIfPresent(String.self, forKey: .password))
        authorities = try container.decodeIfPresent(String.self, forKey: .authorities)
        addresses = try container.decodeIfPresent([IPAddress].self, forKey: .addresses)
        exceptions = try container.decodeIfPresent([String].self, forKey: .exceptions) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(host, forKey: .host)
        try container.encode(port, forKey: .port)
        try container.encodeIfPresent(user, forKey: .user)
        try container.encodeIfPresent(password, forKey: .password)
        try container.encodeIfPresent(authorities, forKey: .authorities)
        try container.encodeIfPresent(addresses, forKey: .addresses)
        if !exceptions.isEmpty { try container.encode(exceptions, forKey: .exceptions) }
    }
}

extension Proxy.Kind: Codable {}

/// A name, or the number of an index.
extension InterfaceBinding: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .name(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .name(let name): try container.encode(name)
        case .index(let index): try container.encode(index)
        }
    }
}
