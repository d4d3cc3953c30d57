public import NetworkAddress

/// A Wi-Fi device as nl80211 tells it (`linux/nl80211.h`).
public struct WirelessInterface: Hashable, Sendable, Codable {
    /// The device's number, as in ``LinkMessage/index``.
    public var index: UInt32
    public var name: String
    public var type: WirelessInterfaceType
    public var hardwareAddress: HardwareAddress? = nil
    /// The network's name; bytes that are not UTF-8 are replaced.
    public var ssid: String? = nil
    /// The access point a station is associated with.
    public var bssid: HardwareAddress? = nil
    /// The channel's centre in MHz.
    public var frequencyMHz: UInt32? = nil
    /// The strength of the last frame received from the access point.
    public var signalDBm: Int? = nil
    /// Whether the access point lets data pass: with WPA, whether the four-way handshake is over.
    public var isAuthorized: Bool? = nil

    public init(index: UInt32, name: String, type: WirelessInterfaceType) {
        self.index = index
        self.name = name
        self.type = type
    }
}

/// NL80211_IFTYPE_*.
public enum WirelessInterfaceType: UInt32, Hashable, Sendable, Codable {
    case unspecified = 0
    case adHoc = 1
    case station = 2
    case accessPoint = 3
    case accessPointVLAN = 4
    case wds = 5
    case monitor = 6
    case meshPoint = 7
    case p2pClient = 8
    case p2pGroupOwner = 9
    case p2pDevice = 10
    case ocb = 11
    case nan = 12
}

/// News of nl80211: the moment to ask again.
public struct WirelessNotification: Hashable, Sendable, Codable {
    public var event: Event
    /// The device it is about; nil where it is about the radio.
    public var index: UInt32?

    /// What happened (NL80211_CMD_*).
    public enum Event: String, Hashable, Sendable, Codable {
        /// NL80211_CMD_CONNECT: an attempt to associate has ended, well or badly.
        case connected
        case disconnected
        /// NL80211_CMD_ROAM: another access point of the same network, with no word of it in rtnetlink.
        case roamed
        /// NL80211_CMD_PORT_AUTHORIZED.
        case authorized
        case interfaceAdded
        case interfaceRemoved
        case interfaceChanged
        /// NL80211_CMD_CH_SWITCH_NOTIFY.
        case channelSwitched
    }
}
