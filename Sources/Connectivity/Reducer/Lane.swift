internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

internal import enum RequestEngine.Phase

/// One way of asking: by the route, or bound to an interface, or in one family only. Each is assessed on its own.
struct Lane: Sendable {
    struct Key: Hashable, Sendable {
        var interface: String?
        var family: AddressFamily?

        /// By the route and in either family.
        static let route = Key()
    }

    let key: Key
    /// Counts the lanes of one reducer from 0, so that the questions of each have numbers of their own.
    let serial: UInt64
    var assessor: Assessor
    private(set) var results: LatestResults
    private var streaks: [Int: AddressStreaks] = [:]
    /// How long the names took that were looked up for probes that have not ended.
    private var resolving: [Int: Duration] = [:]
    private(set) var reasons = FailureReasons()
    var network: Network
    /// What its assessor had found when that was looked at last.
    private var found: (revision: UInt64, verdict: Verdict?, isApplicable: Bool) = (0, nil, true)
    /// When its assessor is to be called.
    var wake: MonotonicTime?
    var judgement = Judgement(.unknown)
    /// The verdict that the judgement tells.
    var judged: Verdict?
    /// Since when the judgement has had its status.
    var since: MonotonicTime?
    private(set) var checkedAt: MonotonicTime?
    /// Whether the network's own portal says that a person has to log in first.
    var isCaptive = false
    /// Since when the host's own connections wait in vain, while that is neither refuted nor confirmed.
    var stalledSince: MonotonicTime?
    var stalls = Stalls()
    /// Since when targets could not be asked for want of something of this host's own.
    private var lackingSince: [Int: MonotonicTime] = [:]
    /// Whether the last answer that was dated was so far from this host's time.
    var isDateOff = false
    /// When the host's own connections were heard last.
    var trafficHeard: MonotonicTime?

    init(_ key: Key, serial: UInt64, assessor: Assessor, results: LatestResults, network: Network) {
        (self.key, self.serial, self.assessor, self.results) = (key, serial, assessor, results)
        self.network = network
    }

    /// The place in the configuration of each target of the assessor; its witnesses come after them.
    var members: [Int] { results.members }

    /// Where a target of the configuration stands among those of the assessor; nil where the lane does not ask it.
    func place(of target: Int) -> Int? { results.place(of: target) }

    /// Looks at the assessor's verdict; returns whether it is another one than before.
    mutating func takeVerdict() -> Bool {
        guard assessor.revision != found.revision else { return false }
        let old = found
        found = (assessor.revision, assessor.verdict, assessor.isApplicable)
        return old.verdict != found.verdict || old.isApplicable != found.isApplicable
    }

    // MARK: Results

    mutating func note(_ result: ProbeResult, of place: Int, fall: Int) -> ProbeResult {
        var result = result
        if let took = resolving.removeValue(forKey: place), result.phaseNanoseconds[.resolve] == nil {
            result.phaseNanoseconds[.resolve] = took.nanoseconds
        }
        if result.addresses != nil || streaks[place] != nil {
            streaks[place, default: AddressStreaks()].take(
                result.addresses, fall: fall, isFirst: results[place] == nil)
        }
        count(results[place], -1)
        results[place] = result
        count(result, 1)
        checkedAt = result.endMonotonic
        return result
    }

    private mutating func count(_ result: ProbeResult?, _ step: Int) {
        guard let result, result.outcome != .skipped || result.reason != nil else { return }
        reasons.add(result.reason, isUp: result.outcome == .success, step)
    }

    /// Nothing was looked at for a while: what was found does not stand for now.
    mutating func forgetResults() {
        results.forget()
        reasons = FailureReasons()
        streaks = [:]
    }

    /// Whether a result is no evidence of a target that was known: something was wanting on this host, perhaps for a moment
    /// only. It is evidence once it has lasted, or keeps another target from being asked, too.
    mutating func isPassing(_ result: ProbeResult, of place: Int, at now: MonotonicTime) -> Bool {
        guard result.reason == .overloaded else {
            if result.outcome != .cancelled { lackingSince[place] = nil }
            return false
        }
        let since = lackingSince[place] ?? now
        lackingSince[place] = since
        return assessor.health(of: place).status != .unknown && since.duration(to: now) < Self.passing
            && !assessor.hasUnsent
    }

    /// What is wanting for so long is wanting at three probes in a row, which are a second apart.
    private static let passing = Duration.milliseconds(1500)

    mutating func note(lookUp took: Duration, for place: Int) { resolving[place] = took }

    /// The addresses of a target's name that have failed often enough, where each is probed.
    func failing(_ place: Int) -> [AddressResult] { streaks[place]?.failing ?? [] }

    /// Goes on with what another lane for the same way knew of the targets that both ask.
    mutating func adopt(_ old: Lane, places: [Int?]) {
        (judgement, judged, since, checkedAt) = (old.judgement, old.judged, old.since, old.checkedAt)
        (isCaptive, stalledSince, trafficHeard) = (old.isCaptive, old.stalledSince, old.trafficHeard)
        isDateOff = old.isDateOff
        for place in results.members.indices {
            count(results[place], 1)
            streaks[place] = places[place].flatMap { old.streaks[$0] }
        }
    }

    // MARK: Numbers

    /// How many questions one lane may ask before its numbers would run into another's.
    private static let bits: UInt64 = 40

    /// A question's number among those of all lanes.
    func number(_ ask: Ask.ID) -> Probe.ID { serial << Self.bits | ask }

    static func split(_ id: Probe.ID) -> (serial: UInt64, ask: Ask.ID) {
        (id >> bits, id & (1 << bits - 1))
    }
}
