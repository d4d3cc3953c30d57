internal import Connectivity
internal import EventLoop
internal import Evidence
internal import Glibc
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// Something that was sent to a host, whose word is waited for.
struct Departure: Sendable {
    let id: Probe.ID
    let address: IPAddress
    let time: MonotonicTime
}

/// What leaves, and by which way, as the kernel says at that moment.
extension Prober {
    /// Tells that something has left for a host. Nil where no model listens, or no way leads there.
    func depart(
        _ id: Probe.ID, to address: IPAddress, by interface: String?, _ flow: Flow, at time: MonotonicTime = .now
    ) -> Departure? {
        guard let report, let way = way(to: address, by: interface, flow) else { return nil }
        report(.sent(id, Host(address: address, way: way)))
        return Departure(id: id, address: address, time: time)
    }

    /// Tells of the host's first word.
    func tell(heard departure: Departure?) {
        guard let departure else { return }
        report?(.heard(departure.id, departure.address, after: departure.time.duration(to: .now)))
    }

    /// Tells that there was none.
    func tell(_ miss: Miss, _ departure: Departure?) {
        guard let departure else { return }
        report?(.missed(departure.id, departure.address, miss))
    }

    // MARK: Ways

    /// The way of packets to an address; nil where there is none.
    func way(to address: IPAddress, by interface: String?, _ flow: Flow) -> Way? {
        switch kernel.leg(to: address, by: interface.flatMap(index(of:)), flow: flow) {
        case .unknown: return presumedWay(to: address, by: interface)
        case .none: return nil
        case .by(let leg):
            guard leg.type != .local else { return .own(address.family) }
            guard let name = leg.outputInterface.flatMap(name(of:)) else { return nil }
            return Way(interface: name, gateway: leg.gateway, family: address.family)
        }
    }

    /// That of the path, where the kernel cannot be asked.
    private func presumedWay(to address: IPAddress, by interface: String?) -> Way? {
        guard !address.isLoopback else { return .own(address.family) }
        let family = address.family
        guard let name = interface ?? path[family].interface else { return nil }
        let gateway = path.interfaces.first { $0.name == name }?[family].gateway
        return Way(interface: name, gateway: gateway ?? (interface == nil ? path[family].gateway : nil), family: family)
    }

    // MARK: Interfaces by name and number

    func index(of interface: String) -> UInt32? {
        path.interfaces.first { $0.name == interface }?.index
    }

    /// The path knows what could carry traffic; of the others the kernel is asked once for each path.
    func name(of index: UInt32) -> String? {
        if let known = interfaceNames[index] { return known }
        let name = path.interfaces.first { $0.index == index }?.name ?? Self.kernelName(of: index)
        interfaceNames[index] = name
        return name
    }

    private static func kernelName(of index: UInt32) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IFNAMSIZ)) { name in
            guard let base = name.baseAddress, unsafe if_indextoname(index, base) != nil else { return nil }
            return unsafe String(cString: base)
        }
    }
}

extension Way {
    /// That to this host itself.
    fileprivate static func own(_ family: AddressFamily) -> Way { Way(interface: "lo", family: family) }
}
