internal import COpenSSL
internal import FoundationEssentials

/// A SHA-256 digest (FIPS 180-4): 32 bytes.
public struct SHA256Digest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// The digest of some bytes.
    public init(of message: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = unsafe EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        bytes = digest
    }

    /// A digest computed elsewhere; nil where it is not 32 bytes long.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// A digest written in base64; nil where it is not one.
    public init?(base64: String) {
        guard let data = Data(base64Encoded: base64) else { return nil }
        self.init(bytes: Array(data))
    }

    public var base64: String { Data(bytes).base64EncodedString() }
}

extension SHA256Digest: CustomStringConvertible {
    /// Lower-case hexadecimal, as `sha256sum` prints it.
    public var description: String { hexadecimal(bytes) }
}

/// Lower-case hexadecimal digits, two a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
