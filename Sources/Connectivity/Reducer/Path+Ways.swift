internal import NetworkAddress
internal import Reachability

extension Path {
    /// The interface that a target's probes are bound to; nil where they leave by the route, or where there is none of
    /// the medium.
    func interface(for target: Target) -> String? {
        guard let medium = target.medium else { return target.interface }
        let families = target.family.map { [$0] } ?? AddressFamily.allCases
        let fit = interfaces.filter { interface in
            interface.medium == medium && families.contains { interface[$0].isUsable }
        }.map(\.name)
        return interfacesInUse.first { fit.contains($0) } ?? fit.first
    }

    /// Whether a target may be probed by a lane.
    func admits(_ target: Target, by lane: Lane.Key) -> Bool {
        guard lane.family == nil || target.family == nil || target.family == lane.family else { return false }
        guard let name = lane.interface else { return true }
        let medium = interfaces.first { $0.name == name }?.medium
        return (target.interface ?? name) == name && (target.medium == nil || target.medium == medium)
    }
}

extension Path {
    /// Which addresses are this host's own or on a link of its own, so that no gateway is needed to reach them.
    struct OwnLink {
        private let prefixes: [IPPrefix]

        init(_ path: Path) {
            prefixes = path.interfaces.filter { $0.isUp && $0.hasCarrier }
                .flatMap { $0.addresses.compactMap { IPPrefix($0.address, length: Int($0.prefixLength)) } }
        }

        func contains(_ address: IPAddress) -> Bool {
            address.isLoopback || address.isLinkLocal || prefixes.contains { $0.contains(address) }
        }
    }
}

extension Target {
    /// Whether its probes leave by an interface of its own, whatever the route says.
    var isBound: Bool { interface != nil || medium != nil }

    /// Its address, where its URL names one and no proxy stands before it. Not by way of a URL: there may be thousands.
    var address: IPAddress? {
        // A URL with an address has its family.
        guard family != nil, proxy == nil else { return nil }
        let authority = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count)
            .prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        let isBracketed = host.first == UInt8(ascii: "[")
        let end: Character = isBracketed ? "]" : ":"
        return IPAddress(String(Substring(host.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end.asciiValue })))
    }
}

extension FamilyPath {
    /// The interfaces of a multipath route's legs that could carry traffic, each once.
    package var legInterfaces: [String] {
        var names: [String] = []
        for leg in legs where leg.isUsable && !names.contains(leg.interface) { names.append(leg.interface) }
        return names
    }

    /// Whether traffic leaves by several interfaces at once, which binding tells apart.
    var isMultipath: Bool { isUsable && legInterfaces.count > 1 }
}

extension Path {
    /// Whether a lane goes by one leg of a multipath route.
    func isLeg(_ lane: Lane.Key) -> Bool {
        guard let name = lane.interface else { return false }
        let families = lane.family.map { [$0] } ?? AddressFamily.allCases
        return families.contains { self[$0].isMultipath && self[$0].legInterfaces.contains(name) }
    }
}
