/// By what traffic leaves a host, as its events say.
package enum HostMedium: String, Hashable, Sendable, CaseIterable {
    case unknown, none, ethernet, wifi, wwan, other
}

/// What probes confirm, as a host's events say.
package enum Connectivity: String, Hashable, Sendable, CaseIterable {
    case unknown, none, local, portal, limited, full
}

/// Whether a target is up for a host.
package enum TargetStatus: UInt32, Hashable, Sendable {
    case unknown, up, down

    init(_ word: String?) {
        self =
            switch word {
            case "up": .up
            case "down": .down
            default: .unknown
            }
    }
}

/// Whether a host is connected to the broker, as the broker says.
package enum Presence: String, Hashable, Sendable, CaseIterable {
    case online
    /// Its connection broke off: the last will says so.
    case offline
    /// Its service has ended on purpose.
    case stopped
}

/// How a host is, all in all.
package enum Condition: String, Hashable, Sendable, CaseIterable {
    /// It is there, and reaches what is beyond its line.
    case well
    /// It is there, and says that its way is broken.
    case down
    /// The broker has told its last will: it may be well where it is.
    case cutOff = "cut-off"
    /// It has told nothing for three heartbeats, and no will has come.
    case stale
    /// Its service was ended on purpose.
    case stopped
    /// Nothing but its presence is known.
    case unknown

    /// Whether something is wrong that may have a cause in common with others.
    var isAffected: Bool {
        switch self {
        case .down, .cutOff, .stale: true
        case .well, .stopped, .unknown: false
        }
    }
}
