/// A version of HTTP as an answer states it.
public enum ProtocolVersion: String, Hashable, Sendable, Codable, CaseIterable {
    case http1_0 = "1.0"
    case http1_1 = "1.1"
    case http2 = "2"
    case http3 = "3"
}
