internal import Evidence
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// By which way packets leave, as the kernel says at that moment.
struct WayFinder: ~Copyable {
    private(set) var path = Path.unknown
    var kernel = Kernel()
    /// The names of interfaces that the kernel has told of, by their numbers.
    private var interfaceNames: [UInt32: String] = [:]

    /// Takes note of another path: its interfaces may have other names.
    mutating func use(_ path: Path) {
        self.path = path
        interfaceNames = [:]
    }

    /// Whether packets to an address can leave by an interface; nil where the path does not have that.
    mutating func hasRoute(to address: IPAddress, by interface: String) -> Bool? {
        guard let index = index(of: interface) else { return nil }
        return kernel.hasRoute(to: address, by: index)
    }

    /// The way of packets to an address; nil where there is none.
    mutating func way(to address: IPAddress, by interface: String?, _ flow: Flow) -> Way? {
        switch kernel.leg(to: address, by: interface.flatMap { index(of: $0) }, flow: flow) {
        case .unknown: return presumedWay(to: address, by: interface)
        case .none: return nil
        case .by(let leg):
            guard leg.type != .local else { return .own(address.family) }
            guard let name = leg.outputInterface.flatMap({ name(of: $0) }) else { return nil }
            return Way(interface: name, gateway: leg.gateway, family: address.family)
        }
    }

    /// That of the path, where the kernel cannot be asked.
    private func presumedWay(to address: IPAddress, by interface: String?) -> Way? {
        guard !address.isLoopback else { return .own(address.family) }
        let family = address.family
        guard let name = interface ?? path[family].interface else { return nil }
        let gateway = path.interface(named: name)?[family].gateway
        return Way(interface: name, gateway: gateway ?? (interface == nil ? path[family].gateway : nil), family: family)
    }

    // MARK: Interfaces by name and number

    private func index(of interface: String) -> UInt32? {
        path.interface(named: interface)?.index
    }

    /// The path knows what could carry traffic; of the others the kernel is asked once for each path.
    mutating func name(of index: UInt32) -> String? {
        if let known = interfaceNames[index] { return known }
        let name = path.interface(withIndex: index)?.name ?? DeviceBinding.name(of: index)
        interfaceNames[index] = name
        return name
    }
}

extension Way {
    /// That to this host itself.
    fileprivate static func own(_ family: AddressFamily) -> Way { Way(interface: "lo", family: family) }
}
