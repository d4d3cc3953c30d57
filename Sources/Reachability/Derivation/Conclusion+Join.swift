import Netlink
import NetworkAddress

/// One verdict on a family.
struct FamilyVerdict {
    var path: FamilyPath
    let isTransient: Bool

    /// Joins those on several destinations, one of which stands for the others: of the usable ones that of the most general
    /// route, and of several alike the first.
    ///
    /// Where they leave by different ways, or only some leave at all, the family's reason is `split`. A special route beside
    /// a general one is no part of that: it leads to some network, and not to the Internet.
    init(_ ways: [Conclusion], on family: AddressFamily, _ table: LinkTable) {
        var first: Conclusion?
        var isTransient = false
        for way in ways where way.destination.family == family {
            isTransient = isTransient || way.isTransient
            if let first, !way.goesBefore(first) { continue }
            first = way
        }
        self.isTransient = isTransient
        guard let first else {
            path = FamilyPath(isUsable: false, reason: .noRoute)
            return
        }
        path = first.path
        path.kernel = first.answer.kernelWords(to: first.destination, table)
        let others = ways.filter { $0.destination.family == family && ($0.detail == 0 || first.detail > 0) }
        if path.isUsable, !others.allSatisfy({ $0.leaves(like: first) }) { path.reason = .split }
    }
}

extension Conclusion {
    /// Of several destinations the one stands for the others that works, or else whose interface is known.
    fileprivate var worth: Int {
        path.isUsable ? 2 : path.interface != nil ? 1 : 0
    }

    /// How special the route is that answered: 0 for a default route, for a piece of one, and where none answered; else the
    /// length of its prefix. Programs cut the default route into pieces of up to seven bits to go before it.
    fileprivate var detail: Int {
        guard case .route(let match, _) = answer, match.destination.contains(destination) else { return 0 }
        let length = match.destination.length
        return length > 7 ? length : 0
    }

    /// Whether it stands for the Internet rather than another one.
    fileprivate func goesBefore(_ other: Conclusion) -> Bool {
        worth == other.worth ? detail < other.detail : worth > other.worth
    }

    /// Whether both lead out by the same way.
    fileprivate func leaves(like other: Conclusion) -> Bool {
        self === other || path.leaves(like: other.path)
    }
}

extension FamilyPath {
    /// Whether both lead out by the same way. All legs of a multipath route are one way.
    fileprivate func leaves(like other: FamilyPath) -> Bool {
        guard isUsable == other.isUsable else { return false }
        return legs.isEmpty ? interfaceIndex == other.interfaceIndex : Set(legs) == Set(other.legs)
    }

    /// Replaces "no route" by what took the route away, where all interfaces agree on it.
    mutating func explainMissingRoute(_ family: AddressFamily, _ interfaces: [Interface]) {
        guard reason == .noRoute, !interfaces.isEmpty, let first = interfaces[0][family].reason else { return }
        if interfaces.indices.allSatisfy({ interfaces[$0][family].reason == first }) { reason = first }
    }
}

extension Path {
    /// A path of the two families' ways. IPv4 decides where both are usable by different media.
    init(_ ipv4: FamilyPath, _ ipv6: FamilyPath, _ interfaces: [Interface], nameServers: [IPAddress]) {
        let status: ReachabilityStatus
        let reason: PathReason?
        if ipv4.isUsable || ipv6.isUsable {
            status = ReachabilityStatus((ipv4.isUsable ? ipv4.medium : ipv6.medium) ?? .other)
            reason = (ipv4.isUsable ? ipv4.reason : nil) ?? (ipv6.isUsable ? ipv6.reason : nil)
        } else {
            status = .none
            reason = [ipv4.reason, ipv6.reason].compactMap(\.self).min { $0.vagueness < $1.vagueness }
        }
        self.init(
            status: status, reason: reason, ipv4: ipv4, ipv6: ipv6, interfaces: interfaces, nameServers: nameServers)
    }
}

extension PathReason {
    /// A link's or a route's own fault tells more than that something is missing, and a family without addresses may
    /// never have been meant to work.
    fileprivate var vagueness: Int {
        switch self {
        case .noAddress: 2
        case .noRoute: 1
        default: 0
        }
    }
}
