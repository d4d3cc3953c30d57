public import NetworkAddress

/// How traffic leaves this host: the verdict, each family's way, and every interface.
public struct Path: Hashable, Sendable, Codable {
    public var status: ReachabilityStatus
    /// Why the status is `none`, or what is wrong with a path that works only in part; nil for a clean path.
    public var reason: PathReason? = nil
    public var ipv4: FamilyPath
    public var ipv6: FamilyPath
    /// The interfaces that are or could become a way out, and those that lie under them. Links of containers and virtual
    /// machines are not among them.
    public var interfaces: [Interface] = []
    /// The name servers in use.
    public var nameServers: [IPAddress] = []

    public init(
        status: ReachabilityStatus, ipv4: FamilyPath = FamilyPath(isUsable: false),
        ipv6: FamilyPath = FamilyPath(isUsable: false)
    ) {
        self.status = status
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }

    /// The path before the first dump has ended.
    public static let unknown = Path(status: .unknown)

    public var supportsIPv4: Bool { ipv4.isUsable }
    public var supportsIPv6: Bool { ipv6.isUsable }

    /// The names of the interfaces that traffic leaves by, IPv4's first, each once; empty where there is no path.
    public var interfacesInUse: [String] {
        let names = (ipv4.isUsable ? ipv4.interface : nil, ipv6.isUsable ? ipv6.interface : nil)
        return (names.0 == names.1 ? [names.0] : [names.0, names.1]).compactMap(\.self)
    }

    /// The path of a family.
    public subscript(family: AddressFamily) -> FamilyPath {
        switch family {
        case .ipv4: ipv4
        case .ipv6: ipv6
        }
    }
}
