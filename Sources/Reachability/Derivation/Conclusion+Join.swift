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
    var detail: Int {
        guard case .route(let match, _) = answer, match.destination.contains(destination) else { return 0 }
        let length = match.destination.length
        return length > 7 ? length : 0
    }

    /// Whether it stands for the Internet rather than another one.
    func goesBefore(_ other: Conclusion) -> Bool {
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
