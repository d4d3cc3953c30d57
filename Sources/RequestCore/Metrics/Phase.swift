/// The phases of a request, named as blackbox_exporter names them.
public enum Phase: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The name is looked up.
    case resolve
    /// The transport connection is made.
    case connect
    /// The TLS handshake.
    case tls
    /// From the request to the first byte of the answer.
    case processing
    /// From the first byte of the answer to the last.
    case transfer
}
