/// Why the state was read anew.
public enum ResyncCause: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case overrun
    case truncated
    case malformed
    /// The listening socket failed and was opened anew.
    case failure
    case resume
    case request
}
