package import Netlink

/// Who answers the questions of a derivation: the kernel, or a recording of it.
package protocol RoutingOracle: AnyObject {
    /// How would such a packet leave?
    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer
}
