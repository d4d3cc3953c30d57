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

    /// By its number: the text of its raw value would take longer to hash than to measure the phase.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
    }

    /// Its place in the order of the cases.
    var index: Int {
        switch self {
        case .resolve: 0
        case .connect: 1
        case .tls: 2
        case .processing: 3
        case .transfer: 4
        }
    }
}
