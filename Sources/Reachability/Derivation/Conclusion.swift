import Netlink
import NetworkAddress

/// What one answer of the kernel comes to. Never changed, and therefore shared.
final class Conclusion: Sendable {
    /// Where the packets were to go.
    let destination: IPAddress
    let answer: RouteAnswer
    let path: FamilyPath
    /// Whether the kernel was seen in the middle of a change: it told that a link went down or an address went away, and
    /// has not taken the routes with it yet. Such an answer is not to be believed; it settles within microseconds.
    let isTransient: Bool

    init(_ destination: IPAddress, _ answer: RouteAnswer, path: FamilyPath, isTransient: Bool) {
        self.destination = destination
        self.answer = answer
        self.path = path
        self.isTransient = isTransient
    }

    /// Whether a route or a rule turns the packets away, which is not the same as that none is for them.
    var isRejected: Bool {
        switch answer {
        case .noRoute: false
        case .rejected: true
        case .route(let match, _): match.type.rejects != nil
        }
    }
}
