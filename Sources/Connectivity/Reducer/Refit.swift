internal import NetworkAddress
internal import Reachability

/// The checks that another path or other targets need, as they are made beside those in use.
struct Refit: Sendable {
    /// The targets to be, in their order.
    let targets: [Target]
    let keys: [Lane.Key]
    /// What is known of the targets to be, and where each was before; nil where they stay the same.
    var renamed: Renamed?
    /// The lanes, with nothing but their checks and their sums.
    var lanes: [Lane] = []
    /// Where the check is now that was heard last over each lane.
    var heard: [Int?] = []
    var checks: [Check] = []
    var checksOfTarget: [[Int]] = []
    /// Which check each probe that is under way belongs to.
    var inFlight: [Probe.ID: Int] = [:]
    /// The lane in use that goes the same way as the one that is being made.
    var oldLane: Int?
    /// How many pairs of a lane and a target have been looked at.
    var next = 0

    /// Other targets than before.
    struct Renamed: Sendable {
        /// Where a target was before, by its name.
        var places: [String: Int] = [:]
        var health: [TargetHealth] = []
        /// Where each was before, if it has not changed.
        var origins: [Int?] = []
        /// How many of the targets before have been looked at.
        var next = 0

        init(count: Int) {
            places.reserveCapacity(count)
            health.reserveCapacity(count)
            origins.reserveCapacity(count)
        }
    }

    init(targets: [Target], keys: [Lane.Key]) {
        self.targets = targets
        self.keys = keys
        lanes.reserveCapacity(keys.count)
        checks.reserveCapacity(keys.count * targets.count)
        checksOfTarget.reserveCapacity(targets.count)
    }

    /// Where a target was before; nil where it is new.
    func origin(of target: Int) -> Int? { renamed.map { $0.origins[target] } ?? target }

    /// How many pairs of a lane and a target there are; without lanes each target is looked at all the same.
    var count: Int { max(keys.count, 1) * targets.count }

    /// Notes where the next target before was; false where there is none left.
    mutating func takePlace(of health: [TargetHealth]) -> Bool {
        guard let next = renamed?.next, next < health.count else { return false }
        renamed?.places[health[next].target] = next
        renamed?.next += 1
        return true
    }

    /// Begins the next lane.
    mutating func beginLane(_ old: [Lane]) {
        let key = keys[lanes.count]
        var lane = Lane(key)
        lane.checkRange = checks.count..<checks.count
        lanes.append(lane)
        heard.append(nil)
        oldLane = old.firstIndex { $0.key == key }
    }

    mutating func add(_ check: Check) {
        let index = checks.count
        lanes[check.lane].add(check)
        lanes[check.lane].checkRange = lanes[check.lane].checkRange.lowerBound..<index + 1
        if let probe = check.probe { inFlight[probe] = index }
        checksOfTarget[check.targetIndex].append(index)
        checks.append(check)
    }
}
