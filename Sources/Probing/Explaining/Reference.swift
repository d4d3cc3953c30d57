internal import Connectivity
internal import NetworkAddress

/// A host that may be asked whether anything answers at all: a refusal is an answer, too.
struct Reference: Hashable, Sendable {
    let address: IPAddress
    let port: UInt16
    /// One more, where a network may let only some through.
    let otherPort: UInt16?

    init(_ address: IPAddress, port: UInt16 = 443, otherPort: UInt16? = nil) {
        self.address = address
        self.port = port
        self.otherPort = otherPort
    }

    /// Public name servers, of three operators, each under one address all over the world. Nothing is sent to them but
    /// a SYN to the ports of HTTPS and of names.
    static let defaults: [Reference] = [
        "1.1.1.1", "8.8.8.8", "9.9.9.9", "2606:4700:4700::1111", "2001:4860:4860::8888", "2620:fe::fe",
    ].compactMap { IPAddress($0).map { Reference($0, otherPort: 53) } }

    /// One of a family that stands for the whole Internet.
    static func anywhere(_ family: AddressFamily) -> IPAddress? {
        defaults.first { $0.address.family == family }?.address
    }

    /// The owner's own targets that are named by their addresses.
    static func own(_ targets: [Target]) -> [Reference] {
        targets.compactMap { target in
            guard target.proxy == nil, let parts = try? URLParts(target.url), let address = parts.address,
                parts.isCurls || parts.scheme == "tcp"
            else { return nil }
            return Reference(address, port: parts.connectPort)
        }
    }
}

extension ExplanationFacts {
    /// The subject by its address of a family; nil where it has none, or is reached through a proxy.
    func target(of family: AddressFamily) -> Reference? {
        guard subject.target.proxy == nil, !["icmp", "dns"].contains(subject.parts.scheme) else { return nil }
        // One that is written as an address is known also where an earlier step is broken.
        var known = [IPAddress(subject.host)].compactMap { $0 }
        if case .success(let found)? = names.addresses { known = found }
        return known.first { $0.family == family }.map { Reference($0, port: subject.parts.connectPort) }
    }
}
