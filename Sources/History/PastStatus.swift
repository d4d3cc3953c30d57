/// What something was for a time: a target, or the connectivity as a whole.
package enum PastStatus: Int64, Hashable, Sendable, CaseIterable {
    /// Not known, or not looked at: the program did not run, for example.
    case unknown = 0
    case up = 1
    case down = 2
    /// The host was suspended.
    case suspended = 3

    package var word: String {
        switch self {
        case .unknown: "unknown"
        case .up: "up"
        case .down: "down"
        case .suspended: "suspended"
        }
    }
}
