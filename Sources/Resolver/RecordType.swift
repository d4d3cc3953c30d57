/// What is asked of a name server (RFC 1035 section 3.2.2, RFC 3596, RFC 2782, RFC 8659).
public enum RecordType: String, Hashable, Sendable, Codable, CaseIterable {
    case a = "A"
    case aaaa = "AAAA"
    case ns = "NS"
    case soa = "SOA"
    case ptr = "PTR"
    case mx = "MX"
    case txt = "TXT"
    case srv = "SRV"
    case caa = "CAA"

    /// The number on the wire.
    package var code: CInt {
        switch self {
        case .a: 1
        case .ns: 2
        case .soa: 6
        case .ptr: 12
        case .mx: 15
        case .txt: 16
        case .aaaa: 28
        case .srv: 33
        case .caa: 257
        }
    }
}
