internal import NetworkAddress
internal import Reachability

/// Where the targets of a configuration are, as far as it says. It is read once: a path may be lost while there are
/// thousands of targets, and to look at each of them takes longer than all else.
struct TargetPlaces: Sendable {
    /// The address that each target's URL names.
    private let addresses: [IPAddress?]
    /// Those that are asked of a proxy, by their place in the configuration.
    private let proxied: Set<Int>
    /// Those that are bound to a medium or an interface.
    private let bound: Set<Int>
    /// One of the bound targets for each of their bindings, of which there are few.
    private let examples: [Target]
    /// The families by which any target may be reached.
    let families: [AddressFamily]

    init(_ targets: [Target]) {
        addresses = targets.map(\.address)
        proxied = Set(targets.indices.filter { targets[$0].proxy != nil })
        bound = Set(targets.indices.filter { targets[$0].isBound })
        examples = Dictionary(bound.map { (Binding(targets[$0]), targets[$0]) }) { first, _ in first }.map(\.value)
        families = AddressFamily.allCases.filter { family in
            targets.contains { $0.family == nil || $0.family == family }
        }
    }

    /// Whether a target leaves by an interface of its own, so that each path may give it another way.
    func isBound(_ target: Int) -> Bool { bound.contains(target) }

    /// Whether any target is.
    var hasBound: Bool { !bound.isEmpty }

    /// Whether the probes of any target are bound to an interface.
    func bind(_ interface: String, over path: Path) -> Bool {
        examples.contains { path.interface(for: $0) == interface }
    }

    /// The interface that all targets are bound to; nil where there are others.
    func onlyInterface(over path: Path) -> String? {
        guard hasBound, bound.count == addresses.count else { return nil }
        let interfaces = Set(examples.map { path.interface(for: $0) })
        return interfaces.count == 1 ? interfaces.first ?? nil : nil
    }

    /// Whether a target's URL places it on a link that a lane does not lead to.
    func isBeyond(_ links: ForeignLinks, _ target: Int) -> Bool { addresses[target].map(links.contains) ?? false }

    /// Whether a target is on a link of this host's own, or a route of its own leads to it.
    ///
    /// - Parameter last: Where its name has led last, or its proxy's; asked only where nothing else tells.
    func isNear(_ target: Int, by link: OwnLinks, last: @autoclosure () -> IPAddress?) -> Bool {
        let known = addresses[target] ?? (proxied.contains(target) ? nil : last())
        // No closure, which would hold the links for each of thousands.
        guard let known else { return isBound(target) }
        return link.contains(known)
    }
}

/// What decides by which interface a target is asked.
private struct Binding: Hashable {
    let interface: String?
    let medium: Medium?
    let family: AddressFamily?

    init(_ target: Target) { (interface, medium, family) = (target.interface, target.medium, target.family) }
}
