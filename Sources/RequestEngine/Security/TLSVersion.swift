internal import COpenSSL

/// A version of the TLS protocol.
public enum TLSVersion: String, Hashable, Sendable, Codable, CaseIterable {
    case tls10 = "TLSv1.0"
    case tls11 = "TLSv1.1"
    case tls12 = "TLSv1.2"
    case tls13 = "TLSv1.3"

    /// The version's number on the wire, which is also OpenSSL's.
    var number: CInt {
        switch self {
        case .tls10: TLS1_VERSION
        case .tls11: TLS1_1_VERSION
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }
}

extension TLSVersion: Comparable {
    public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.number < other.number }
}
