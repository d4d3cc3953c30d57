public import NetworkAddress

/// What a Wi-Fi interface is connected to, as nl80211 tells it.
public struct WirelessDetails: Hashable, Sendable, Codable {
    /// The network's name.
    public var ssid: String?
    /// The access point.
    public var bssid: HardwareAddress?
    /// The channel's centre in MHz.
    public var frequency: UInt32?
    /// The strength of the signal in dBm when the connection last changed. It is not followed.
    public var signal: Int?

    public init(
        ssid: String? = nil, bssid: HardwareAddress? = nil, frequency: UInt32? = nil, signal: Int? = nil
    ) {
        self.ssid = ssid
        self.bssid = bssid
        self.frequency = frequency
        self.signal = signal
    }
}
