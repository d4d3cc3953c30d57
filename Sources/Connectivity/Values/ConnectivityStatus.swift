/// What probes confirm about the path.
public enum ConnectivityStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not known: no probe has ended yet, or none is configured.
    case unknown
    /// There is no path.
    case none
    /// There is a path, and nothing answers.
    case local
    /// A captive portal answers in the place of the targets.
    case portal
    /// Some of what was asked for works.
    case limited
    /// All of what was asked for works.
    case full
}
