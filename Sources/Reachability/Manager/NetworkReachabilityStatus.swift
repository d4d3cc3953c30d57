/// The four answers of AFNetworking's reachability manager, with its numbers.
public enum NetworkReachabilityStatus: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Monitoring has not begun, or a name has not been resolved yet.
    case unknown = -1
    case notReachable = 0
    case reachableViaWWAN = 1
    /// Reachable by anything but WWAN: in AFNetworking's words a wire is Wi-Fi too. ``Path/status`` tells them apart.
    case reachableViaWiFi = 2

    public init(_ status: ReachabilityStatus) {
        self =
            switch status {
            case .unknown: .unknown
            case .none: .notReachable
            case .wwan: .reachableViaWWAN
            case .ethernet, .wifi, .other: .reachableViaWiFi
            }
    }

    /// The status in English, by AFNetworking's words, which are also the keys of its translations.
    public var text: String {
        switch self {
        case .unknown: "Unknown"
        case .notReachable: "Not Reachable"
        case .reachableViaWWAN: "Reachable via WWAN"
        case .reachableViaWiFi: "Reachable via WiFi"
        }
    }
}
