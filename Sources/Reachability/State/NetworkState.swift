package import Netlink
package import NetworkAddress

/// What the kernel has told about its links and addresses: a value folded over its messages, with no clock or socket.
///
/// Routes are not mirrored. The kernel is asked for them (`PathDerivation`), and their messages only say when.
package struct NetworkState: Hashable, Sendable {
    package internal(set) var links: [UInt32: LinkMessage] = [:]
    package internal(set) var addresses: [UInt32: [AddressMessage]] = [:]
    /// Policy rules, for the marks that tunnels' own packets carry. What rules mean for routes is the kernel's business.
    package internal(set) var rules: Set<RuleMessage> = []

    package init() {}

    /// The link's name, or its number where it is not known (any more).
    package func name(_ index: UInt32) -> String {
        links[index]?.name ?? "#\(index)"
    }

    /// The number of a link by its name.
    package func index(_ name: String) -> UInt32? {
        links.values.first { $0.name == name }?.index
    }

    /// Whether a link has an address of IPv6 that is known beyond it.
    func hasOwnIPv6(_ index: UInt32) -> Bool {
        addresses[index]?.contains { $0.address.family == .ipv6 && !$0.address.isLinkLocal } == true
    }

    /// The addresses of a link in one family.
    package func addresses(_ index: UInt32, _ family: AddressFamily) -> [AddressMessage] {
        (addresses[index] ?? []).filter { $0.address.family == family }
    }

    /// Whether a link has an address that others may know.
    func hasOwnAddress(_ index: UInt32) -> Bool {
        addresses[index]?.contains { !$0.address.isLinkLocal } == true
    }
}
