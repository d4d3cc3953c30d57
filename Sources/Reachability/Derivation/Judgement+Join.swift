import NetworkAddress

extension Judgement {
    /// One verdict on a family from those on several destinations, the first of which stands for the others.
    ///
    /// Where they leave by different ways, or only some leave at all, the family's reason is `split`.
    static func join(_ judgements: [Judgement], of family: AddressFamily) -> Judgement {
        let own = judgements.indices.filter { judgements[$0].destination?.family == family }
        let best = own.first { judgements[$0].path.isUsable } ?? own.first { judgements[$0].path.interface != nil }
        guard let first = best ?? own.first else { return .unusable(.noRoute) }
        var joined = judgements[first]
        joined.isTransient = own.contains { judgements[$0].isTransient }
        let isWhole = own.allSatisfy { $0 == first || judgements[$0].path.leaves(like: judgements[first].path) }
        if joined.path.isUsable, !isWhole { joined.path.reason = .split }
        return joined
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
    /// Sets the status and its reason from the two families. IPv4 decides where both are usable by different media.
    mutating func conclude() {
        guard ipv4.isUsable || ipv6.isUsable else {
            status = .none
            reason = [ipv4.reason, ipv6.reason].compactMap(\.self).min { $0.vagueness < $1.vagueness }
            return
        }
        status = ReachabilityStatus((ipv4.isUsable ? ipv4.medium : ipv6.medium) ?? .other)
        reason = (ipv4.isUsable ? ipv4.reason : nil) ?? (ipv6.isUsable ? ipv6.reason : nil)
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
