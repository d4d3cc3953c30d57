internal import Evidence
internal import Reachability

/// What has followed from what lanes were told: what is to be asked, what was found, and what may have to be told of it.
struct LaneOutput: Sendable {
    private(set) var probes: [Probe] = []
    private(set) var touches: [Touch] = []
    private(set) var names: [NameQuestion] = []
    var cancelled: [Probe.ID] = []
    var results: [ProbeResult] = []
    var putOff = 0
    var news = UntoldNews()
    /// Whether any target of the one lane that it is of may be otherwise than was told.
    var isWhole = false

    /// Whether any target may be otherwise than was told.
    var isOfTargets: Bool { isWhole || news.isOfTargets }

    /// - Returns: The answer where the question cannot be sent.
    mutating func add(_ question: Lane.Question) -> Answer? {
        switch question {
        case .probe(let probe): probes.append(probe)
        case .touch(let touch): touches.append(touch)
        case .name(let name): names.append(name)
        case .answered(let answer): return answer
        }
        return nil
    }

    /// - Parameter members: The place in the configuration of each target of the lane.
    mutating func add(_ announcement: Announcement, of members: [Int]) {
        news.hasVerdict = true
        news.flaps = announcement.flaps ?? news.flaps
        isWhole = isWhole || announcement.isWhole
        for change in announcement.changes where change.target < members.count {
            news.targets.insert(members[change.target])
        }
    }

    mutating func add(_ later: LaneOutput) {
        // Most bring one of these, or none.
        if !later.probes.isEmpty { probes += later.probes }
        if !later.touches.isEmpty { touches += later.touches }
        if !later.names.isEmpty { names += later.names }
        if !later.cancelled.isEmpty { cancelled += later.cancelled }
        if !later.results.isEmpty { results += later.results }
        putOff += later.putOff
        isWhole = isWhole || later.isWhole
        news.add(later.news)
    }
}

/// What the lanes have found and no event has told yet.
struct UntoldNews: Sendable {
    /// Targets, by their place in the configuration.
    var targets: Set<Int> = []
    /// Targets of whose addresses one may be gone or back, by what was found last.
    var results: Set<Int> = []
    /// Lanes of which any target may be otherwise than was told.
    var wholeLanes: Set<Int> = []
    /// How often a verdict has changed that changes too often to be told each time.
    var flaps: Int?
    /// The same of a link that was lost.
    var losses: Int?
    /// For how long nothing was looked at.
    var absence: Duration?
    var hasVerdict = false

    var isEmpty: Bool { !isOfTargets && !hasVerdict }

    /// Whether any target may be otherwise than was told.
    var isOfTargets: Bool { !targets.isEmpty || !results.isEmpty || !wholeLanes.isEmpty }

    mutating func add(_ later: UntoldNews) {
        if later.isOfTargets {
            if targets.isEmpty { targets = later.targets } else { targets.formUnion(later.targets) }
            results.formUnion(later.results)
            wholeLanes.formUnion(later.wholeLanes)
        }
        flaps = later.flaps ?? flaps
        absence = later.absence ?? absence
        hasVerdict = hasVerdict || later.hasVerdict
    }
}
