package import NetworkAddress

/// How packets to one address leave this host. A key and nothing else: what is known of it is its ``WayState``.
package struct Way: Hashable, Sendable, Codable {
    /// The interface they leave by.
    package var interface: String
    /// The next router; nil where the address is on the link itself, and in a tunnel.
    package var gateway: IPAddress?
    package var family: AddressFamily
    /// The translator to IPv4 that it leads through: that may be dead while all before it lives.
    package private(set) var translator: Translator?

    /// What leads to the translator, where it leads through one.
    var underlying: Way? {
        translator == nil ? nil : Way(interface: interface, gateway: gateway, family: family)
    }

    /// The same on to an address, which may be one of IPv4 behind a translator.
    func leading(to address: IPAddress) -> Way {
        var way = self
        way.translator = Translator(before: address)
        return way
    }

    /// Whether it ends on this host: no uplink is at fault for it.
    package var isLoopback: Bool { interface == "lo" }

    /// A host that answers over the loopback as long as that is well: nothing need listen there, as a refusal is a word, too.
    var loopbackNeighbor: Host? {
        guard isLoopback, family == .ipv4 else { return nil }
        return Host(address: .v4(IPv4Address(rawValue: 0x7F00_0002)), way: self)
    }

    package init(interface: String, gateway: IPAddress? = nil, family: AddressFamily = .ipv4) {
        self.interface = interface
        self.gateway = gateway
        self.family = family
    }
}

/// One address by one way: a target's, a reference's, a name server's.
package struct Host: Hashable, Sendable, Codable {
    package var address: IPAddress
    package var way: Way

    package init(address: IPAddress, way: Way) {
        self.address = address
        self.way = way.leading(to: address)
    }
}
