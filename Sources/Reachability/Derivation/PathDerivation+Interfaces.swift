import Netlink
import NetworkAddress

extension PathDerivation {
    /// The interfaces that carry the path, that lie under it, or that could take over.
    ///
    /// Those of containers and virtual machines are left out unless the kernel would send by them: they come and go by
    /// the hundred and say nothing of the way out.
    ///
    /// - Parameter ways: How each destination is left for, whatever the interface.
    func interfaces(
        carrying paths: [FamilyPath], ways: [IPAddress: FamilyPath]
    ) throws(NetlinkError) -> [Interface] {
        let inUse = linksInUse(by: paths)
        var interfaces: [Interface] = []
        for link in state.links.values.sorted(by: { $0.index < $1.index }) {
            guard let interface = try interface(link, isInUse: inUse.contains(link.index), ways) else { continue }
            interfaces.append(interface)
        }
        return interfaces
    }

    private func linksInUse(by paths: [FamilyPath]) -> Set<UInt32> {
        let chosen = paths.compactMap(\.interfaceIndex)
        return chosen.reduce(into: []) { $0.formUnion(stack.chain(of: $1).indexes) }
    }

    private func interface(
        _ link: LinkMessage, isInUse: Bool, _ ways: [IPAddress: FamilyPath]
    ) throws(NetlinkError) -> Interface? {
        let role = role(of: link)
        guard isInUse || role != .bystander else { return nil }
        var interface = describe(link)
        interface.ipv4 = try usability(of: link, .ipv4, ways)
        interface.ipv6 = try usability(of: link, .ipv6, ways)
        let isListed = isInUse || role == .uplink || interface.ipv4.isUsable || interface.ipv6.isUsable
        return isListed ? interface : nil
    }

    // MARK: Who counts

    private enum Role {
        /// A way out by its nature, whether it works now or not.
        case uplink
        /// A way out only if the kernel would use it as one.
        case candidate
        /// Not worth asking about.
        case bystander
    }

    private func role(of link: LinkMessage) -> Role {
        let isAddressed = hasOwnAddress(link.index)
        switch stack.classify(link.index) {
        case .loopback: return .bystander
        case .physical: return .uplink
        // A port of a bridge carries the bridge's traffic, and has no way of its own.
        case .veth, .upper: return isAddressed && link.controllerIndex == nil ? .uplink : .bystander
        case .tunnel: return isAddressed ? .uplink : .bystander
        case .aggregate: return hasHardwareUnder(link) ? .uplink : (isAddressed ? .candidate : .bystander)
        case .virtual: return isAddressed ? .candidate : .bystander
        }
    }

    private func hasOwnAddress(_ index: UInt32) -> Bool {
        state.addresses[index]?.contains { !$0.address.isLinkLocal } == true
    }

    private func hasHardwareUnder(_ link: LinkMessage) -> Bool {
        guard let last = stack.chain(of: link.index).indexes.last else { return false }
        if case .physical = stack.classify(last) { return true }
        return false
    }

    // MARK: What it is, and whether it could carry traffic

    private func describe(_ link: LinkMessage) -> Interface {
        let chain = stack.chain(of: link.index)
        var interface = Interface(
            index: link.index, name: link.name, medium: chain.medium, operationalState: link.operationalState.word,
            isUp: link.flags.contains(.up),
            hasCarrier: link.flags.contains(.lowerUp) && surroundings.carriers[link.index] != false)
        interface.alternativeNames = link.alternativeNames
        interface.via = stack.names(of: chain)
        interface.kind = link.kind
        interface.hardwareAddress = link.hardwareAddress
        interface.mtu = link.mtu
        interface.wireless = surroundings.wireless[link.index].map(WirelessDetails.init)
        interface.speed = surroundings.speeds[link.index].flatMap { $0 == 0 ? nil : $0 }
        interface.addresses = (state.addresses[link.index] ?? []).map(InterfaceAddress.init)
        return interface
    }

    private func usability(
        of link: LinkMessage, _ family: AddressFamily, _ ways: [IPAddress: FamilyPath]
    ) throws(NetlinkError) -> InterfaceUsability {
        if let obstacle = link.obstacle { return .unusable(obstacle) }
        var usability = InterfaceUsability.unusable(.noRoute)
        for destination in question.destinations(family) {
            let path = try way(to: destination, by: link, ways)
            usability = InterfaceUsability(
                isUsable: path.isUsable, reason: path.reason, gateway: path.gateway, source: path.source)
            if usability.isUsable { return usability }
        }
        return usability.reason == .noRoute ? .unusable(missingAddress(link, family) ?? .noRoute) : usability
    }

    private func way(
        to destination: IPAddress, by link: LinkMessage, _ ways: [IPAddress: FamilyPath]
    ) throws(NetlinkError) -> FamilyPath {
        if let known = known(ways[destination], of: link, destination.family) { return known }
        return try judge(question.query(destination, by: link.index)).path
    }

    /// The way that is taken anyhow, where the kernel would say the same if asked with this link: it leaves by this link
    /// alone, or there is none by any link.
    ///
    /// IPv6 keeps its `throw` routes with the loopback link, and passes them over when asked with another: what comes
    /// behind one shows only then (fib6_table_lookup() in the kernel's net/ipv6/route.c). A thorough oracle is asked.
    private func known(_ way: FamilyPath?, of link: LinkMessage, _ family: AddressFamily) -> FamilyPath? {
        guard let way, link.controllerIndex == nil, !hasDeviceRules else { return nil }
        if family == .ipv6, oracle.isThorough { return nil }
        let isOwn = way.interfaceIndex == link.index && way.legs.isEmpty
        return isOwn || way.reason == .noRoute ? way : nil
    }

    /// Whether rules look at the device that is asked with, so that the answer is another one.
    private var hasDeviceRules: Bool {
        state.rules.contains { $0.outputInterface != nil }
    }

    /// Without an address there is no route to speak of: the address is what is missing.
    private func missingAddress(_ link: LinkMessage, _ family: AddressFamily) -> PathReason? {
        let addresses = state.addresses(link.index, family).filter { !$0.address.isLinkLocal }
        if addresses.isEmpty { return link.flags.contains(.noARP) ? nil : .noAddress }
        if addresses.contains(where: { $0.flags.contains(.duplicateDetected) }) { return .duplicateAddress }
        return addresses.allSatisfy(\.isBeingChecked) ? .tentative : nil
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
