internal import NetworkAddress
internal import Reachability

/// How far an interface has come in one family, by what it lacks first.
enum MissingPart: Int, Comparable {
    case link
    case address
    case route

    static func < (one: MissingPart, other: MissingPart) -> Bool { one.rawValue < other.rawValue }

    /// The step at which that shows.
    var kind: Explanation.Kind {
        switch self {
        case .link: .interface
        case .address: .address
        case .route: .route
        }
    }

    func advice(_ interface: Interface, _ families: [AddressFamily]) -> String {
        let reasons = families.compactMap { interface[$0].reason }
        switch self {
        case .link where reasons.contains(.adminDown): return "set it up: \(LinkAdvice.waysUp(interface))"
        case .link where reasons.contains(.dormant): return LinkAdvice.admission
        case .link: return "check the cable, or join a network"
        case .address where reasons.contains(.duplicateAddress):
            return "another host has its address: give one of them another"
        case .address: return "get an address: is a DHCP client running, or a router announcing?"
        case .route where reasons.contains(where: \.isRejection):
            return "a route or rule rejects the traffic on purpose: see ip rule, ip route"
        case .route: return "add a default route: ip route add default via GATEWAY"
        }
    }

    func command(_ interface: Interface, _ families: [AddressFamily]) -> String {
        let option = families.count == 1 ? (families[0] == .ipv4 ? "-4 " : "-6 ") : ""
        return switch self {
        case .link: "ip link show \(interface.name)"
        case .address: "ip \(option)address show \(interface.name)"
        case .route: "ip \(option)route show table all"
        }
    }
}

/// What helps a link that carries nothing.
enum LinkAdvice {
    /// A radio may be switched off, which the kernel says only once it is to be set up.
    static func waysUp(_ interface: Interface) -> String {
        let command = "ip link set \(interface.name) up"
        guard interface.medium == .wifi || interface.medium == .wwan else { return command }
        return command + "; where that is refused (RF-kill): rfkill unblock all, or its switch"
    }

    static let admission = "it waits to be let in: check the password (WPA) or the login (802.1X)"
}

extension PathReason {
    fileprivate var isRejection: Bool { self == .blackhole || self == .unreachable || self == .prohibit }
}

extension InterfaceUsability {
    /// What is missing for it to be usable.
    var missingPart: MissingPart {
        switch reason {
        case .adminDown?, .noCarrier?, .dormant?, .tunnelWithoutCarrier?: .link
        case .noAddress?, .tentative?, .duplicateAddress?, .linkLocalSource?: .address
        default: .route
        }
    }
}
