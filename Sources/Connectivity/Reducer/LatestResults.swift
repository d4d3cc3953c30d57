internal import EventLoop
internal import NetworkAddress

/// The targets of a lane and the latest result of each.
///
/// A copy holds the results themselves in common, so that one can be kept on another thread while the next result comes: what
/// that costs is a few words for each target, and only where there is such a copy.
struct LatestResults: Sendable {
    private final class Place: Sendable {
        let result: ProbeResult

        init(_ result: ProbeResult) { self.result = result }
    }

    /// The place in the configuration of each target of the lane; the assessor's witnesses come after them.
    let members: [Int]
    private let placeOf: [Int: Int]
    private var places: [Place?]
    /// When each of them ended, side by side: all are asked for that at once, and each result lies elsewhere in memory.
    private var ends: [MonotonicTime?]

    init(of members: [Int]) {
        self.members = members
        places = members.map { _ in nil }
        ends = members.map { _ in nil }
        let isWhole = members == Array(members.indices)
        placeOf = isWhole ? [:] : Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
    }

    /// Those of targets that had these places among others; nil for a new one.
    init(of members: [Int], from old: LatestResults, at known: [Int?]) {
        self.init(of: members)
        for (place, before) in zip(places.indices, known) {
            guard let before, old.places.indices.contains(before) else { continue }
            (places[place], ends[place]) = (old.places[before], old.ends[before])
        }
    }

    /// Where a target of the configuration stands among those of the lane; nil where the lane does not ask it.
    func place(of target: Int) -> Int? {
        guard placeOf.isEmpty else { return placeOf[target] }
        return target < members.count ? target : nil
    }

    /// The latest result of a target of the configuration.
    func result(of target: Int) -> ProbeResult? {
        place(of: target).flatMap { self[$0] }
    }

    subscript(place: Int) -> ProbeResult? {
        get { places[place]?.result }
        set {
            places[place] = newValue.map(Place.init)
            ends[place] = newValue?.endMonotonic
        }
    }

    /// Where the latest probe of a place was sent.
    func address(of place: Int) -> IPAddress? { places[place]?.result.remoteAddress }

    /// When the latest probe of a place ended.
    func end(of place: Int) -> MonotonicTime? { ends[place] }

    /// All that are known.
    var known: some Sequence<ProbeResult> { places.lazy.compactMap { $0?.result } }

    /// Nothing was looked at for a while: what was found does not stand for now.
    mutating func forget() {
        places = places.map { _ in nil }
        ends = ends.map { _ in nil }
    }
}
