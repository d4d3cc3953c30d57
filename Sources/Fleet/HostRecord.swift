/// What is known of one host, in as few bytes as it takes: there may be a hundred thousand.
struct HostRecord: Sendable {
    let topic: String
    var name: String
    var site: UInt32
    var provider: UInt32
    var presence: Presence?
    var hasReported = false
    var medium = HostMedium.unknown
    /// By which it is well as a rule: another one takes its place after an hour.
    var usualMedium = HostMedium.unknown
    /// Since when it has been well by another one, in seconds since 1970; nil where it is not.
    var otherSince: Double?
    var connectivity = Connectivity.unknown
    var isBlamedOnTarget = false
    var epoch: UInt64 = 0
    var seq: UInt64 = 0
    /// When it was heard of last, in seconds since 1970.
    var heard: Double = 0
    /// Each target's number and status: `number << 2 | status`.
    var targets: [UInt32] = []

    func condition(at now: Double, since resumed: Double?, stale: Double) -> Condition {
        switch presence {
        case .offline: return .cutOff
        case .stopped: return .stopped
        case .online, nil: break
        }
        guard hasReported else { return .unknown }
        guard now - max(heard, resumed ?? heard) <= stale else { return .stale }
        return isDown ? .down : .well
    }

    /// Whether it says that its own way is broken, and not a target.
    private var isDown: Bool {
        switch connectivity {
        case .none, .local, .portal: !isBlamedOnTarget
        case .limited: false
        case .unknown: medium == .none
        case .full: false
        }
    }

    /// Takes in that all is well by a medium.
    mutating func isWell(by medium: HostMedium, at now: Double) {
        let since = otherSince ?? now
        if usualMedium == .unknown || usualMedium == medium || now - since >= Self.mediumMemory {
            (usualMedium, otherSince) = (medium, nil)
        } else {
            otherSince = since
        }
    }

    /// What is for so many seconds is the usual.
    private static let mediumMemory = 3600.0

    /// What there is no room for is left out: each is looked for among all.
    mutating func set(_ status: TargetStatus, of target: UInt32) {
        let entry = target << 2 | status.rawValue
        if let index = targets.firstIndex(where: { $0 >> 2 == target }) {
            targets[index] = entry
        } else if targets.count < HostReport.mostTargets {
            targets.append(entry)
        }
    }

    mutating func setAll(_ status: TargetStatus) {
        for index in targets.indices { targets[index] = (targets[index] >> 2) << 2 | status.rawValue }
    }
}
