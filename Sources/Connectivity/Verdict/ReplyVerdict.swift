/// What a reply to a probe means.
public enum ReplyVerdict: Hashable, Sendable {
    /// The target's own answer. The note says what was odd about it.
    case online(note: Note? = nil)
    /// Another server answers in the target's place; the address is where it sends a person.
    case portal(address: String?)
    /// An answer that proves neither: another endpoint has to tell.
    case inconclusive(ConnectivityReason)

    public enum Note: String, Hashable, Sendable, Codable {
        /// HTTP/1.0 from a server that speaks a later version: something on the way may have answered.
        case intercepted
    }
}

extension ReplyVerdict: CustomStringConvertible {
    /// The word the published truth table uses.
    public var description: String {
        switch self {
        case .online(nil): "online"
        case .online(let note?): "online, \(note.rawValue)?"
        case .portal(nil): "portal"
        case .portal(_?): "portal with address"
        case .inconclusive(let reason): "inconclusive: \(reason.rawValue)"
        }
    }
}
