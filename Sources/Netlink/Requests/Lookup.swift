import CNetlink
import SystemPackage

/// One RTM_GETROUTE: the question, and which of its two answers is wanted.
struct Lookup: Hashable, Sendable {
    let query: RouteQuery
    /// Whether the entry that matches is wanted (RTM_F_FIB_MATCH), or the plain look-up.
    let isEntry: Bool
}

/// What one RTM_GETROUTE came to.
enum LookupResult: Sendable {
    /// Kept apart, because it is large and handed on from one to the other.
    indirect case success(RouteMessage)
    case failure(Refusal)

    /// The kernel's refusal, which often is the answer: that there is no route, or that one rejects.
    struct Refusal: Sendable {
        let errno: Errno
        let text: String?

        /// As an error. Put into words only where it is one.
        func error(about query: RouteQuery) -> NetlinkError {
            let name = "\(MessageName.of(RTM_GETROUTE)) \(RequestSubject.destination(query.destination))"
            return .refused(request: name, errno, message: text)
        }
    }

    /// What an exchange failed with; throws it again where it is no refusal.
    init(_ error: NetlinkError) throws(NetlinkError) {
        guard case .refused(_, let errno, let text) = error else { throw error }
        self = .failure(Refusal(errno: errno, text: text))
    }

    /// Reads an answer; nil where the message is none.
    init?(_ message: Message) throws(NetlinkError) {
        guard message.type == Int(NLMSG_ERROR) else {
            guard message.type == RTM_NEWROUTE, let route = try RouteParser.parse(message) else { return nil }
            self = .success(route)
            return
        }
        let reply = try ErrorReply(message)
        guard let errno = reply.errno else { return nil }
        self = .failure(Refusal(errno: errno, text: reply.text))
    }
}
