/// A policy as a configuration has it: what is not said is as in the default policy, and a member that is not known is
/// an error. Files are named and not held; a passphrase is never written, only the file it stands in.
extension SecurityPolicy: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case pinningMode, pinnedCertificates, pinnedPublicKeys, allowsInvalidCertificates, validatesDomainName
        case anchors, revocation, stapling, minimumTLSVersion, clientIdentity
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        self.init()
        pinningMode = try value(.pinningMode, pinningMode)
        pinnedCertificates = try value(.pinnedCertificates, pinnedCertificates)
        pinnedPublicKeys = try value(.pinnedPublicKeys, pinnedPublicKeys)
        allowsInvalidCertificates = try value(.allowsInvalidCertificates, allowsInvalidCertificates)
        validatesDomainName = try value(.validatesDomainName, validatesDomainName)
        anchors = try value(.anchors, anchors)
        revocation = try container.decodeIfPresent(RevocationLists.self, forKey: .revocation)
        stapling = try value(.stapling, stapling)
        minimumTLSVersion = try value(.minimumTLSVersion, minimumTLSVersion)
        guard let files = try container.decodeIfPresent(ClientIdentity.Files.self, forKey: .clientIdentity) else {
            return
        }
        do { clientIdentity = try ClientIdentity(files) } catch {
            throw DecodingError.dataCorruptedError(
                forKey: .clientIdentity, in: container, debugDescription: "\(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pinningMode, forKey: .pinningMode)
        try container.encode(pinnedCertificates, forKey: .pinnedCertificates)
        try container.encode(pinnedPublicKeys.sorted { $0.description < $1.description }, forKey: .pinnedPublicKeys)
        try container.encode(allowsInvalidCertificates, forKey: .allowsInvalidCertificates)
        try container.encode(validatesDomainName, forKey: .validatesDomainName)
        try container.encode(anchors, forKey: .anchors)
        try container.encodeIfPresent(revocation, forKey: .revocation)
        try container.encode(stapling, forKey: .stapling)
        try container.encode(minimumTLSVersion, forKey: .minimumTLSVersion)
        try container.encodeIfPresent(clientIdentity?.files, forKey: .clientIdentity)
    }
}

extension SecurityPolicies: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case other, hosts
    }

    /// `{"other": POLICY, "hosts": {PATTERN: POLICY}}`; with `"other": null` hosts without a pattern are refused.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(hosts: try container.decodeIfPresent([HostPattern: SecurityPolicy].self, forKey: .hosts) ?? [:])
        if container.contains(.other) { other = try container.decode(SecurityPolicy?.self, forKey: .other) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(other, forKey: .other)
        try container.encode(hosts, forKey: .hosts)
    }
}

extension TrustAnchors: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case file, folder, certificates
    }

    /// `"system"`, `{"file": PATH}`, `{"folder": PATH}` or `{"certificates": [DER in base64]}`.
    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard word == "system" else { throw decoder.corrupted("\"\(word)\" are no anchors: write \"system\"") }
            self = .system
            return
        }
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1 else { throw decoder.corrupted("write one of file, folder, certificates") }
        if let path = try container.decodeIfPresent(String.self, forKey: .file) {
            self = .file(path)
        } else if let path = try container.decodeIfPresent(String.self, forKey: .folder) {
            self = .folder(path)
        } else {
            self = .certificates(try container.decode([Certificate].self, forKey: .certificates))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if self == .system {
            var container = encoder.singleValueContainer()
            return try container.encode("system")
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .system: break
        case .file(let path): try container.encode(path, forKey: .file)
        case .folder(let path): try container.encode(path, forKey: .folder)
        case .certificates(let certificates): try container.encode(certificates, forKey: .certificates)
        }
    }
}
