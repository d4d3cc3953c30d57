import Netlink
import NetworkAddress

extension PathDerivation {
    /// The interfaces that carry the path, that lie under it, or that could take over.
    ///
    /// Those of containers and virtual machines are left out unless the kernel would send by them: they come and go by
    /// the hundred and say nothing of the way out.
    ///
    /// - Parameters:
    ///   - indexes: The links that the kernel has chosen.
    ///   - ways: How each destination is left for, whatever the interface, in the order of the question's.
    func interfaces(carrying indexes: [UInt32], ways: [Conclusion]) throws(NetlinkError) -> [Interface] {
        let inUse = indexes.flatMap(table.rows(under:))
        var interfaces: [Interface] = []
        for row in rows(with: inUse) {
            let ipv4 = try usability(of: row, .ipv4, ways)
            let ipv6 = try usability(of: row, .ipv6, ways)
            let isInUse = inUse.contains { $0.index == row.index }
            guard row.role == .uplink || ipv4.isUsable || ipv6.isUsable || isInUse else { continue }
            var interface = row.interface
            interface.ipv4 = ipv4
            interface.ipv6 = ipv6
            interfaces.append(interface)
        }
        return interfaces
    }

    /// Those that could be ways out, and those in use, in the order of their numbers.
    private func rows(with inUse: [LinkRow]) -> [LinkRow] {
        guard inUse.contains(where: { $0.role == .bystander }) else { return table.candidates }
        var rows = table.candidates
        for row in inUse where !rows.contains(where: { $0.index == row.index }) { rows.append(row) }
        return rows.sorted { $0.index < $1.index }
    }

    // MARK: Whether they could carry traffic

    private func usability(
        of row: LinkRow, _ family: AddressFamily, _ ways: [Conclusion]
    ) throws(NetlinkError) -> InterfaceUsability {
        if let obstacle = row.obstacle { return .unusable(obstacle) }
        var usability = InterfaceUsability.unusable(.noRoute)
        for (destination, way) in zip(question.destinations, ways) where destination.family == family {
            usability = try self.way(to: destination, by: row, way)
            if usability.isUsable { return usability }
        }
        return usability.reason == .noRoute ? .unusable(row.missingAddress(family) ?? .noRoute) : usability
    }

    private func way(
        to destination: IPAddress, by row: LinkRow, _ way: Conclusion
    ) throws(NetlinkError) -> InterfaceUsability {
        if isKnown(way, of: row) { return InterfaceUsability(way.path) }
        let own = InterfaceUsability(try judge(destination, by: row.index).path)
        // Asked with a device, IPv4 does not tell that packets are turned away: what stands in for the destination does so
        // here, too.
        guard !own.isUsable, way.destination != destination else { return own }
        let beside = InterfaceUsability(try judge(question.query(way.destination, by: row.index)).path)
        return beside.isUsable ? beside : own
    }

    /// Whether the kernel would name the way that is taken anyhow if it was asked with this link: it leaves by this link
    /// alone, or there is none by any link.
    ///
    /// IPv6 keeps its `throw` routes with the loopback link, and passes them over when asked with another: what comes
    /// behind one shows only then (fib6_table_lookup() in the kernel's net/ipv6/route.c). A thorough oracle is asked. What is
    /// asked with a VRF is answered by that VRF's own table of routes, whatever the others say.
    private func isKnown(_ way: Conclusion, of row: LinkRow) -> Bool {
        guard row.controllerIndex == nil, !table.hasDeviceRules, table.index.classify(row.index) != .vrf else {
            return false
        }
        if way.destination.family == .ipv6, oracle.isThorough { return false }
        return (way.path.interfaceIndex == row.index && way.path.legs.isEmpty) || way.path.reason == .noRoute
    }
}

extension InterfaceUsability {
    /// What the way by an interface comes to.
    fileprivate init(_ path: borrowing FamilyPath) {
        self.init(isUsable: path.isUsable, reason: path.reason, gateway: path.gateway, source: path.source)
    }
}

extension WirelessDetails {
    init(_ interface: WirelessInterface) {
        self.init(
            ssid: interface.ssid, bssid: interface.bssid, frequency: interface.frequencyMHz,
            signal: interface.signalDBm)
    }
}

extension InterfaceAddress {
    init(_ message: AddressMessage) {
        self.init(address: message.address, prefixLength: message.prefixLength)
        isTentative = message.flags.contains(.tentative)
        isDuplicate = message.flags.contains(.duplicateDetected)
        isDeprecated = message.flags.contains(.deprecated)
    }
}
