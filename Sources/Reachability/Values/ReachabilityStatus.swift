/// How the host is reachable: by the medium that its traffic leaves by, or not at all.
public enum ReachabilityStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not known yet: the first dump has not ended.
    case unknown
    /// There is no path out of this host.
    case none
    case ethernet
    case wifi
    case wwan
    /// There is a path, and no physical link can be told underneath it.
    case other

    /// Whether there is a path.
    public var isReachable: Bool {
        switch self {
        case .unknown, .none: false
        case .ethernet, .wifi, .wwan, .other: true
        }
    }

    /// The status of a path by a medium.
    public init(_ medium: Medium) {
        self =
            switch medium {
            case .ethernet: .ethernet
            case .wifi: .wifi
            case .wwan: .wwan
            case .other: .other
            }
    }
}
