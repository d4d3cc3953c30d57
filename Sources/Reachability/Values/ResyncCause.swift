/// Why the state was read anew.
public enum ResyncCause: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case overrun
    case truncated
    case malformed
    /// The listening socket failed and was opened anew.
    case failure
    /// Changes interrupted the reading again and again, so that it may lack some of them.
    case interrupted
    case resume
    case request
}
