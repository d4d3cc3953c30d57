import CNetlink
public import NetworkAddress
import SystemPackage

extension RequestSocket {
    /// The routes of one type in one table. The kernel passes over all others, so that a full table costs no more than the
    /// way through it (`fib_dump_filter`, Linux 4.20); without such a table there are none.
    ///
    /// Made for the few that reject: asked for the type `unicast` it would bring a whole routing table.
    public mutating func routes(
        _ family: AddressFamily, type: RouteType, in table: UInt32
    ) throws(NetlinkError) -> Dump<RouteMessage> {
        var header = rtmsg()
        header.rtm_family = family.kernelValue
        header.rtm_type = type.rawValue
        let request = try NetlinkRequest(RTM_GETROUTE, about: .family(family), dump: true, header: header)
        try request.put(Int(RTA_TABLE.rawValue), table)
        do throws(NetlinkError) {
            return try dump(request) { (message) throws(NetlinkError) in
                guard case .route(.new, let route) = try NetlinkMessageParser.parse(message) else { return nil }
                return route.table == table && route.type == type ? route : nil
            }
        } catch {
            guard case .refused(_, .noSuchFileOrDirectory, _) = error else { throw error }
            return Dump(values: [])
        }
    }
}
