public import NetworkAddress

/// A nexthop object as told by RTM_NEWNEXTHOP and RTM_DELNEXTHOP (`ip-nexthop(8)`, `linux/nexthop.h`).
public struct NexthopMessage: Hashable, Sendable, Codable {
    public var id: UInt32
    public var outputInterface: UInt32? = nil
    public var gateway: IPAddress? = nil
    public var flags: RouteFlags = []
    public var isBlackhole: Bool = false
    /// The members of a group (NHA_GROUP); empty for a single nexthop.
    public var group: [Member] = []

    /// One member of a group: another nexthop object and its share.
    public struct Member: Hashable, Sendable, Codable {
        public var id: UInt32
        public var weight: UInt16

        public init(id: UInt32, weight: UInt16) {
            self.id = id
            self.weight = weight
        }
    }

    public init(id: UInt32) {
        self.id = id
    }
}
