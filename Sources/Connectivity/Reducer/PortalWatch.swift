internal import EventLoop
internal import NetworkAddress
internal import Reachability

/// What is known of each network's portal, and when its API is to be asked again. What networks say of their portals can make
/// the verdict worse, never better: only probes show that an uplink works.
struct PortalWatch: Sendable {
    private struct Entry {
        let api: String
        /// When it was first advertised.
        let since: MonotonicTime
        /// Nil until it was asked, or where nothing came back.
        var portal: CaptivePortal?
        var due: MonotonicTime?
        var question: UInt64?
        /// Answers in a row that were none, or that were the same bad news.
        var attempts = 0
    }

    /// By the interface's index, which an advertisement may tell before the path knows the interface.
    private var entries: [UInt32: Entry] = [:]
    /// Whether no network advertises a portal.
    private var isEmpty: Bool { entries.isEmpty }
    private var lastQuestion: UInt64 = 0
    /// When each network's API was last asked, whatever it was: any host on the link can advertise another one at any rate.
    private var askedAt: [UInt32: MonotonicTime] = [:]

    /// When the next question is due.
    private(set) var due: MonotonicTime?

    /// So long an answer is taken for news, whatever else happens, and no other API of the network is asked.
    private static let shortestWait = Duration.seconds(1)

    /// So long an advertisement may be ahead of the path that has its interface, with a carrier.
    private static let longestLead = Duration.seconds(10)

    /// The longest wait after an API gave no answer.
    private static let longestWait = Duration.seconds(600)

    /// Takes note of what a network advertises; nil where it does not any more. Tells whether anything that was known of
    /// its portal is forgotten with that.
    mutating func advertise(_ api: String?, on index: UInt32, at now: MonotonicTime) -> Bool {
        guard api != entries[index]?.api else { return false }
        let wasKnown = entries[index]?.portal != nil
        let due = max(now, askedAt[index]?.advanced(by: Self.shortestWait) ?? now)
        entries[index] = api.map { Entry(api: $0, since: now, due: due) }
        plan()
        return wasKnown
    }

    /// Takes note of another path: networks that are gone are forgotten, those that changed are asked anew.
    mutating func follow(_ path: Path, from old: Path, at now: MonotonicTime) {
        askedAt = askedAt.filter { asked in path.interfaces.contains { $0.index == asked.key && $0.hasCarrier } }
        for (index, entry) in entries {
            let interface = path.interface(withIndex: index)
            guard interface?.hasCarrier == true else {
                let wasThere = old.interfaces.contains { $0.index == index && $0.hasCarrier }
                if wasThere || entry.since.advanced(by: Self.longestLead) < now { entries[index] = nil }
                continue
            }
            if interface != old.interface(withIndex: index) { ask(index, at: now) }
        }
        plan()
    }

    /// Has every API asked now: something has changed that it may know more of.
    mutating func ask(at now: MonotonicTime) {
        for index in entries.keys { ask(index, at: now) }
        plan()
    }

    private mutating func ask(_ index: UInt32, at now: MonotonicTime) {
        // Its own answer may be what has changed.
        if let last = entries[index]?.portal?.checkedMonotonic, last.advanced(by: Self.shortestWait) > now { return }
        entries[index]?.attempts = 0
        if entries[index]?.question == nil { entries[index]?.due = now }
    }

    private mutating func plan() {
        due = entries.values.compactMap(\.due).min()
    }

    // MARK: Questions

    /// The questions that are due, of those networks that can be asked. The others wait for a path.
    mutating func questions(_ path: Path, timeout: Duration, at now: MonotonicTime) -> [PortalQuestion] {
        guard let due, due <= now else { return [] }
        defer { plan() }
        var questions: [PortalQuestion] = []
        for index in entries.keys.sorted() {
            guard let entry = entries[index], let due = entry.due, due <= now else { continue }
            entries[index]?.due = nil
            guard let interface = path.interface(withIndex: index), interface.isUsable else {
                continue
            }
            guard entry.api != CaptivePortal.unrestricted else {
                entries[index]?.portal = .unrestricted(interface.name)
                continue
            }
            lastQuestion += 1
            askedAt[index] = now
            entries[index]?.question = lastQuestion
            questions.append(
                PortalQuestion(id: lastQuestion, interface: interface.name, api: entry.api, timeout: timeout))
        }
        return questions
    }

    /// Takes an answer in; tells whether anything has changed. That of an older question says nothing.
    mutating func take(
        _ answer: PortalAnswer, retryDelay: Duration, interval: Duration, at now: MonotonicTime
    ) -> Bool {
        guard let index = entries.first(where: { $0.value.question == answer.question })?.key,
            var entry = entries[index]
        else { return false }
        let old = entry.portal
        entry.question = nil
        entry.portal = answer.portal
        entry.attempts = old?.isCaptive == answer.portal.isCaptive ? entry.attempts + 1 : 0
        let backoff = retryDelay * (1 << min(entry.attempts, 20))
        entry.due =
            switch (answer.portal.isCaptive, answer.portal.secondsRemaining) {
            case (true?, _): now.advanced(by: min(backoff, interval))
            case (false?, let seconds?): now.advanced(by: .seconds(min(max(seconds, 10), 86400)))
            case (false?, nil): nil
            case (nil, _): now.advanced(by: min(backoff, Self.longestWait))
            }
        entries[index] = entry
        plan()
        return old != entry.portal
    }

    // MARK: What is known

    /// What the network that a lane's probes leave by says of its portal.
    func portal(of lane: Lane.Key, over path: Path) -> CaptivePortal? {
        guard !isEmpty else { return nil }
        let names =
            lane.interface.map { [$0] }
            ?? AddressFamily.allCases.filter { path[$0].isUsable }
            .filter { lane.family == nil || lane.family == $0 }.compactMap { path[$0].interface }
        return Self.worst(names.compactMap { path.interface(named: $0).flatMap { entries[$0.index]?.portal } })
    }

    /// What the network says that traffic leaves by now, by one of some lanes.
    func portal(ofActive lanes: [Lane], over path: Path) -> CaptivePortal? {
        guard !isEmpty else { return nil }
        return Self.worst(lanes.filter { path.isActive($0.key) }.compactMap { portal(of: $0.key, over: path) })
    }

    private static func worst(_ portals: [CaptivePortal]) -> CaptivePortal? {
        portals.first { $0.isCaptive == true } ?? portals.first
    }
}

extension CaptivePortal {
    fileprivate static func unrestricted(_ interface: String) -> CaptivePortal {
        var portal = CaptivePortal(interface: interface, api: unrestricted)
        portal.isCaptive = false
        return portal
    }
}
