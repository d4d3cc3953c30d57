extension ClientIdentity {
    /// Where an identity is read from.
    public struct Files: Hashable, Sendable {
        let format: Format
        /// A file whose first line is the passphrase; nil where none is needed, or it is given otherwise.
        public var passphraseFile: String?

        enum Format: Hashable, Sendable {
            case pem(certificate: String, privateKey: String?)
            case pkcs12(String)
        }

        /// A file of certificates, our own first, and one of the key; nil if the key stands in the former.
        public static func certificate(_ path: String, privateKey: String? = nil) -> Files {
            Files(format: .pem(certificate: path, privateKey: privateKey))
        }

        /// A PKCS#12 container.
        public static func pkcs12(_ path: String) -> Files {
            Files(format: .pkcs12(path))
        }

        var passphrase: String? {
            get throws(SecurityError) {
                guard let passphraseFile else { return nil }
                let bytes = try FileContents.read(passphraseFile, limit: 4096)
                return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
            }
        }
    }
}

extension ClientIdentity.Files: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case certificate, privateKey, pkcs12, passphraseFile
    }

    /// `{"certificate": PATH, "privateKey": PATH}` or `{"pkcs12": PATH}`, each with `"passphraseFile": PATH` if need be.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let path = try container.decodeIfPresent(String.self, forKey: .pkcs12) {
            self = .pkcs12(path)
        } else {
            self = .certificate(
                try container.decode(String.self, forKey: .certificate),
                privateKey: try container.decodeIfPresent(String.self, forKey: .privateKey))
        }
        passphraseFile = try container.decodeIfPresent(String.self, forKey: .passphraseFile)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch format {
        case .pem(let certificate, let privateKey):
            try container.encode(certificate, forKey: .certificate)
            try container.encodeIfPresent(privateKey, forKey: .privateKey)
        case .pkcs12(let path):
            try container.encode(path, forKey: .pkcs12)
        }
        try container.encodeIfPresent(passphraseFile, forKey: .passphraseFile)
    }
}
