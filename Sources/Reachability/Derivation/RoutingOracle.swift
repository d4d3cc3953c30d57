package import Netlink

/// Answers the questions of a derivation: the kernel, or a recording of it.
package protocol RoutingOracle: AnyObject {
    /// How would such a packet leave?
    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer

    /// Whether questions are to be asked whose answers follow from others but for the rarest of routes. That takes twice
    /// as long, and is for the moment when all is quiet.
    var isThorough: Bool { get }
}

extension RoutingOracle {
    package var isThorough: Bool { false }
}
