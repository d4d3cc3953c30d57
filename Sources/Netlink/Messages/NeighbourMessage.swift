public import NetworkAddress

/// An entry of the neighbour table: which hardware address answers for an address on the link (`linux/neighbour.h`).
public struct NeighbourMessage: Hashable, Sendable, Codable {
    public var index: UInt32
    public var address: IPAddress
    public var state: State
    /// NDA_LLADDR; nil while it is not known.
    public var hardwareAddress: HardwareAddress? = nil
    /// How often it was asked without an answer (NDA_PROBES).
    public var probes: UInt32? = nil
    /// How long ago it was last known to be there, in hundredths of a second (NDA_CACHEINFO); nil where that is not told.
    public var confirmed: UInt32? = nil

    /// NUD_*: how sure the kernel is that the neighbour is there. The kernel sets one of these.
    public struct State: OptionSet, Hashable, Sendable, Codable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// NUD_INCOMPLETE: asked for the first time, no answer yet.
        public static let incomplete = State(rawValue: 0x01)
        /// NUD_REACHABLE: it has answered lately.
        public static let reachable = State(rawValue: 0x02)
        /// NUD_STALE: it answered once, and has not been needed since.
        public static let stale = State(rawValue: 0x04)
        /// NUD_DELAY: needed again, not asked yet.
        public static let delay = State(rawValue: 0x08)
        /// NUD_PROBE: asked again.
        public static let probe = State(rawValue: 0x10)
        /// NUD_FAILED: it does not answer.
        public static let failed = State(rawValue: 0x20)
        /// NUD_NOARP: the link needs no such question.
        public static let noARP = State(rawValue: 0x40)
        /// NUD_PERMANENT: set by hand.
        public static let permanent = State(rawValue: 0x80)
    }

    public init(index: UInt32, address: IPAddress, state: State) {
        self.index = index
        self.address = address
        self.state = state
    }
}
