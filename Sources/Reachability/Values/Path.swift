public import NetworkAddress

/// How traffic leaves this host: the verdict, each family's way, and every interface.
public struct Path: Hashable, Sendable {
    private struct Details: Hashable, Sendable, Codable {
        var status: ReachabilityStatus
        var reason: PathReason?
        var ipv4: FamilyPath
        var ipv6: FamilyPath
        var interfaces: [Interface] = []
        var nameServers: [IPAddress] = []
        /// Nil for none, as in recordings that know of none.
        var routes: [IPPrefix]?
    }

    private var details: Shared<Details>

    public var status: ReachabilityStatus {
        get { details.value.status }
        set { details.value.status = newValue }
    }

    /// Why the status is `none`, or what is wrong with a path that works only in part; nil for a clean path.
    public var reason: PathReason? {
        get { details.value.reason }
        set { details.value.reason = newValue }
    }

    public var ipv4: FamilyPath {
        get { details.value.ipv4 }
        set { details.value.ipv4 = newValue }
    }

    public var ipv6: FamilyPath {
        get { details.value.ipv6 }
        set { details.value.ipv6 = newValue }
    }

    /// The interfaces that are or could become a way out, and those that lie under them. Links of containers and virtual
    /// machines are not among them, nor others with an address and no way out, where there are more than a few.
    public var interfaces: [Interface] {
        get { details.value.interfaces }
        set { details.value.interfaces = newValue }
    }

    /// The name servers in use.
    public var nameServers: [IPAddress] {
        get { details.value.nameServers }
        set { details.value.nameServers = newValue }
    }

    /// The blocks of addresses that a route of their own leads to while there is no way out, as far as the monitor was asked
    /// about addresses in them: a private network behind a gateway, a container's bridge, this host itself.
    package(set) public var routes: [IPPrefix] {
        get { details.value.routes ?? [] }
        set { details.value.routes = newValue.isEmpty ? nil : newValue }
    }

    public init(
        status: ReachabilityStatus, ipv4: FamilyPath = FamilyPath(isUsable: false),
        ipv6: FamilyPath = FamilyPath(isUsable: false)
    ) {
        details = Shared(Details(status: status, ipv4: ipv4, ipv6: ipv6))
    }

    init(
        status: ReachabilityStatus, reason: PathReason?, ipv4: FamilyPath, ipv6: FamilyPath, interfaces: [Interface],
        nameServers: [IPAddress]
    ) {
        details = Shared(
            Details(
                status: status, reason: reason, ipv4: ipv4, ipv6: ipv6, interfaces: interfaces,
                nameServers: nameServers))
    }

    /// The path before the first dump has ended.
    public static let unknown = Path(status: .unknown)

    public var supportsIPv4: Bool { ipv4.isUsable }
    public var supportsIPv6: Bool { ipv6.isUsable }

    /// The names of the interfaces that traffic leaves by, IPv4's first, each once; empty where there is no path.
    public var interfacesInUse: [String] {
        let (first, second) = (ipv4.isUsable ? ipv4.interface : nil, ipv6.isUsable ? ipv6.interface : nil)
        guard let first else { return second.map { [$0] } ?? [] }
        guard let second, second != first else { return [first] }
        return [first, second]
    }

    /// The interface of a name among ``interfaces``; nil where none of them has it.
    public func interface(named name: String) -> Interface? { interfaces.first { $0.name == name } }

    /// The interface that the kernel gave an index among ``interfaces``; nil where none of them has it.
    public func interface(withIndex index: UInt32) -> Interface? { interfaces.first { $0.index == index } }

    /// The path of a family.
    public subscript(family: AddressFamily) -> FamilyPath {
        switch family {
        case .ipv4: ipv4
        case .ipv6: ipv6
        }
    }

    /// A path of the two families' ways. IPv4 decides where both are usable by different media.
    init(_ ipv4: FamilyPath, _ ipv6: FamilyPath, _ interfaces: [Interface], nameServers: [IPAddress]) {
        let status: ReachabilityStatus
        let reason: PathReason?
        if ipv4.isUsable || ipv6.isUsable {
            status = ReachabilityStatus((ipv4.isUsable ? ipv4.medium : ipv6.medium) ?? .other)
            reason = (ipv4.isUsable ? ipv4.reason : nil) ?? (ipv6.isUsable ? ipv6.reason : nil)
        } else {
            status = .none
            reason = [ipv4.reason, ipv6.reason].compactMap(\.self).min { $0.vagueness < $1.vagueness }
        }
        self.init(
            status: status, reason: reason, ipv4: ipv4, ipv6: ipv6, interfaces: interfaces, nameServers: nameServers)
    }
}

extension Path: Codable {
    public init(from decoder: any Decoder) throws {
        details = Shared(try Details(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try details.value.encode(to: encoder)
    }
}

extension Path: CustomReflectable {
    public var customMirror: Mirror { Mirror(reflecting: details.value) }
}

extension PathReason {
    /// A link's or a route's own fault tells more than that something is missing, and a family without addresses may
    /// never have been meant to work.
    fileprivate var vagueness: Int {
        switch self {
        case .noAddress: 2
        case .noRoute: 1
        default: 0
        }
    }
}
