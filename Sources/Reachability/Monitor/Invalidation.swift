import Netlink
import NetworkAddress

/// Which of the kernel's answers may have changed since they were given.
enum Invalidation: Hashable {
    case none
    /// Those about one family: nothing but routes of it has changed since.
    case family(AddressFamily)
    case all

    /// What a change makes doubtful. No other change than that of a route is about one family for certain.
    init(_ change: StateChange) {
        guard case .told(.route(_, let route)) = change.event else {
            self = .all
            return
        }
        self = .family(route.destination.address.family)
    }

    mutating func add(_ other: Invalidation) {
        guard self != other, other != .none else { return }
        self = self == .none ? other : .all
    }

    /// The one family to ask about; nil for both. Without an invalidation everything is asked again.
    var family: AddressFamily? {
        guard case .family(let family) = self else { return nil }
        return family
    }
}
