internal import Netlink
internal import NetworkAddress

/// What probing asks of the kernel: routes by an interface, the gateway's neighbour entry, reverse-path filtering.
///
/// Each question is a few microseconds of a system call. Where the kernel cannot be asked, the benign answer holds.
struct Kernel: ~Copyable {
    /// Opened with the first question: then it is asked on the loop's thread, in the loop's network namespace.
    private var socket: RequestSocket?

    private mutating func open() {
        if socket == nil { socket = try? RequestSocket() }
    }

    mutating func hasRoute(to address: IPAddress, by index: UInt32) -> Bool {
        guard let answer = route(to: address, by: index) else { return true }
        if case .route = answer { return true }
        return false
    }

    /// How packets to an address leave; nil where the kernel cannot be asked.
    ///
    /// - Parameters:
    ///   - source: An address of this host's that they carry; nil where the kernel chooses one.
    ///   - flow: Whose packets are meant; nil for any, which rules by protocol or port do not take for theirs.
    mutating func route(
        to address: IPAddress, from source: IPAddress? = nil, by index: UInt32?, flow: Flow? = nil
    ) -> RouteAnswer? {
        open()
        var query = RouteQuery(to: address, by: index, flow)
        query.source = source
        return try? socket?.answer(query)
    }

    /// What is known of how a packet leaves.
    enum Leg {
        case by(RouteMessage)
        /// It does not leave.
        case none
        /// The kernel cannot be asked.
        case unknown
    }

    /// The leg that a flow's packets to an address take: of the entry that matches, and why, nothing is asked.
    mutating func leg(to address: IPAddress, by index: UInt32?, flow: Flow) -> Leg {
        open()
        do throws(NetlinkError) {
            var query = RouteQuery(to: address, by: index, flow)
            guard let leg = try socket?.leg(query) else { return socket == nil ? .unknown : .none }
            // IPv4's connect(2) looks once more with the source that the first look has chosen (net/route.h,
            // ip_route_connect): a rule by source, or a choice among several legs, may lead elsewhere then. IPv6 keeps
            // what the first has found (ip6_dst_lookup_tail), and so does an echo request, which leaves without
            // connect(2) (ping_v4_sendmsg).
            guard address.family == .ipv4, flow != .icmp(.ipv4), leg.type != .local else { return .by(leg) }
            query.source = leg.preferredSource
            guard query.source != nil else { return .by(leg) }
            return .by((try? socket?.leg(query)) ?? leg)
        } catch {
            return .unknown
        }
    }

    mutating func neighbour(_ address: IPAddress, on index: UInt32) -> NeighbourMessage? {
        open()
        return try? socket?.neighbour(address, index: index)
    }

    /// The rules of a family, in the order in which they are looked at.
    mutating func rules(_ family: AddressFamily) -> [RuleMessage] {
        open()
        let rules = (try? socket?.rules(family).values) ?? []
        return rules.sorted { $0.priority < $1.priority }
    }

    /// Whether a table has a route of a type that rejects for an address. That it is the one that counts is not said.
    mutating func rejects(_ address: IPAddress, as type: RouteType, in table: UInt32) -> Bool {
        open()
        let routes = (try? socket?.routes(address.family, type: type, in: table).values) ?? []
        return routes.contains { $0.destination.contains(address) }
    }

    /// All links but the loopback, whether or not anything could leave by them.
    mutating func links() -> [LinkMessage] {
        open()
        return ((try? socket?.links().values) ?? []).filter { !$0.flags.contains(.loopback) }
    }

    /// Whether the loopback is down, by which this host reaches its own addresses.
    mutating func isLoopbackDown() -> Bool {
        open()
        let loopback = (try? socket?.links().values)?.first { $0.flags.contains(.loopback) }
        return loopback.map { !$0.flags.contains(.up) } ?? false
    }

    /// An address of a device, as the kernel has it now.
    mutating func address(_ address: IPAddress, on index: UInt32) -> AddressMessage? {
        open()
        return try? socket?.addresses(address.family).values.first { $0.index == index && $0.address == address }
    }

    /// Whether the kernel has asked for this neighbour and got no answer.
    mutating func isSilent(_ neighbour: IPAddress, on index: UInt32) -> Bool {
        guard let entry = self.neighbour(neighbour, on: index) else { return false }
        return !entry.state.isDisjoint(with: [.incomplete, .failed, .probe])
            && entry.state.isDisjoint(with: [.permanent, .noARP])
    }

    /// Whether packets that come in by this interface are dropped unless the best route to their source leaves by it
    /// (rp_filter 1). The larger of the interface's value and that of `all` counts (ip-sysctl).
    mutating func filtersReversePath(_ index: UInt32) -> Bool {
        open()
        guard let settings = try? socket?.netconfs(.ipv4).values else { return false }
        // Of the two without a device the kernel tells `all` first, then `default` (inet_netconf_dump_devconf).
        let values = [settings.first { $0.index == index }, settings.first { $0.index == nil }]
        return values.compactMap { $0?.reversePathFilter }.max() == 1
    }
}

extension RouteQuery {
    fileprivate init(to address: IPAddress, by index: UInt32?, _ flow: Flow?) {
        self.init(destination: address, outputInterface: index)
        ipProtocol = flow?.ipProtocol
        destinationPort = flow?.port
    }
}
