internal import COpenSSL
internal import FoundationEssentials

extension Certificate {
    /// The largest file that is read as certificates: system bundles have some 200 KiB.
    static let fileLimit = 8 << 20

    /// Reads one certificate in DER. Bytes after it are refused.
    public init(der: [UInt8]) throws(SecurityError) {
        self = try withOpenSSLErrors { () throws(SecurityError) in
            try unsafe X509Handle(der: der).withPointer(Certificate.init(x509:))
        }
    }

    /// Reads the certificates in a PEM text, in their order. Other PEM blocks and what stands between are passed over.
    public static func certificates(pem: [UInt8]) throws(SecurityError) -> [Certificate] {
        try withOpenSSLErrors { () throws(SecurityError) in
            try unsafe MemoryBIO(pem).withPointer(certificates)
        }
    }

    private static func certificates(_ input: OpaquePointer) throws(SecurityError) -> [Certificate] {
        var certificates: [Certificate] = []
        while let x509 = unsafe PEM_read_bio_X509(input, nil, refusePassphrase, nil) {
            unsafe certificates.append(try X509Handle(owning: x509).withPointer(Certificate.init(x509:)))
        }
        // The reader ends with "no start line" at the end of the text; any other error is a damaged block.
        guard latestOpenSSLReason() == PEM_R_NO_START_LINE else {
            throw .notACertificate(path: nil, reason: latestOpenSSLError())
        }
        return certificates
    }

    /// Reads the certificates of a file, which may be DER (one) or PEM (one or more).
    public static func certificates(file path: String) throws(SecurityError) -> [Certificate] {
        let bytes = try FileContents.read(path, limit: fileLimit)
        do throws(SecurityError) {
            let found = isPEM(bytes) ? try certificates(pem: bytes) : [try Certificate(der: bytes)]
            guard !found.isEmpty else { throw SecurityError.noCertificates(path: path) }
            return found
        } catch {
            guard case .notACertificate(_, let reason) = error else { throw error }
            throw .notACertificate(path: path, reason: reason)
        }
    }

    /// DER begins with the tag of a SEQUENCE, which no text begins with: `0x30` is "0".
    static func isPEM(_ bytes: [UInt8]) -> Bool {
        bytes.first != 0x30
    }
}

/// Answers "no passphrase" where OpenSSL would otherwise ask the terminal.
func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: CInt, _: CInt, _: UnsafeMutableRawPointer?
) -> CInt { -1 }

extension Certificate: Codable {
    /// Encoded as its DER in base64; the facts are read from it again.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(der))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let bytes = try container.decode(Data.self)
        do {
            self = try Certificate(der: Array(bytes))
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }
}
