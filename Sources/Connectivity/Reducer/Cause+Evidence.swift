internal import Reachability

extension Cause {
    /// There is no run, or it has told nothing yet.
    static let idle = Cause(kind: .start, description: "the monitor is not running")

    /// Nothing was looked at for a while.
    static func unwatched(_ time: Duration) -> Cause {
        let seconds = time.components.seconds
        return Cause(
            kind: .probe, description: "nothing was looked at for \(seconds) s: what was found before is too old",
            fields: ["unwatched": "\(seconds)"])
    }

    /// What an event is told to have come of.
    ///
    /// - Parameters:
    ///   - trigger: What the input was; nil where nothing of it is told by itself.
    ///   - last: The event before it.
    ///   - interface: The one that the evidence is about; nil where that is by the route.
    init(
        of event: Event, _ trigger: EventTrigger?, _ news: UntoldNews, after last: Event?,
        over interface: @autoclosure () -> String?
    ) {
        if let absence = news.absence {
            self = .unwatched(absence)
            return
        }
        self = trigger?.cause ?? Cause(evidenceFor: event, over: interface())
        // Connections that wait make a way suspect; what is told of it is found by asking.
        if kind == .traffic, event.kind == .transition { self = Cause(evidenceFor: event, over: interface()) }
        if let probed = trigger?.result, let result = Self.failure(behind: probed, event) ?? Self.page(probed, event) {
            self = Cause(probe: result, isPortal: event.connectivity == .portal)
        }
        if let words = last.flatMap({ Self.uplinkWords(of: event, after: $0) }) {
            self = Cause(kind: .probe, description: words)
        }
        if let losses = news.losses { description += " (the link was lost \(losses) times lately)" }
        if let flaps = news.flaps { description += " (it has changed \(flaps) times lately)" }
    }

    /// The result of a target that the event tells to be down, where the good answer of another has only ended the waiting.
    private static func failure(behind last: ProbeResult, _ event: Event) -> ProbeResult? {
        guard last.outcome == .success, !event.targets.contains(where: { $0.status == .up }),
            let down = event.targets.first(where: { $0.status == .down })
        else { return nil }
        return event.probes.first { $0.target == down.target && $0.outcome != .success }
    }

    /// The result that an event is about, where it looks like a portal's and is not told as one.
    private static func page(_ last: ProbeResult, _ event: Event) -> ProbeResult? {
        last.outcome == .portal && event.connectivity != .portal ? last : nil
    }

    /// What has become of the uplinks that an event is about, where the verdict is as it was.
    private static func uplinkWords(of event: Event, after old: Event) -> String? {
        guard event.kind == .uplink, event.reason == old.reason, event.blame == old.blame else { return nil }
        let changed = event.uplinks.filter { uplink in
            old.uplinks.first { $0.interface == uplink.interface && $0.family == uplink.family }?.connectivity
                != uplink.connectivity
        }
        return WayWords.each(changed) ?? spareWords(event, old)
    }

    /// What has become of the uplink that may stand in for those that get nowhere.
    private static func spareWords(_ event: Event, _ old: Event) -> String? {
        guard event.spare != old.spare else { return nil }
        return event.spare.map { "\($0) works, and may stand in" }
            ?? old.spare.map { "it is not certain any more whether \($0) has to stand in, or could" }
    }

    /// What the evidence comes to as the cause of an event that no single answer has brought about.
    ///
    /// - Parameter interface: The one that all targets are bound to; nil where they leave by the route.
    init(evidenceFor event: Event, over interface: String? = nil) {
        let what = event.kind == .target ? Self.targetWords(event) : Self.verdictWords(event, interface)
        self.init(kind: .probe, description: what)
        if let reason = event.reason { fields["reason"] = reason.rawValue }
    }

    private static func verdictWords(_ event: Event, _ interface: String?) -> String {
        let interfaces = interface ?? event.to.interfaces.joined(separator: " and ")
        let over = interfaces.isEmpty ? "" : " over \(interfaces)"
        return switch (event.connectivity, event.blame) {
        case (.local, .uplink?), (.local, nil): "nothing answers\(over), whatever was asked"
        case (.local, _): "nothing answers\(over)"
        case (.full, _): "what was asked answers as expected\(over)"
        case (.portal, _): "a portal answers in the place of others\(over)"
        case (.limited, .resolver?) where event.reason == .nameServerFailed: "no name server gives an answer"
        case (.limited, .resolver?): "the name servers do not find what they are asked for"
        case (.limited, .uplink?): WayWords(event.uplinks).sentence ?? WayWords.shortfall(event.reason) + over
        case (.limited, .host?) where event.reason == .bodyUnexamined: "this host has not looked at what was answered"
        case (.limited, .host?) where event.reason == .clock: "certificates are not valid at this host's time"
        case (.limited, .host?): "this host could not ask"
        // Not over which: each may leave by another way.
        case (.limited, _): "some of what was asked does not answer"
        case (.none, _): "there is no path"
        case (.unknown, .host?): "this host could not ask"
        case (.unknown, _): "what was asked has not answered yet"
        }
    }

    /// What has become of the targets, where the verdict is as it was: `shop and mail are down; web is up`.
    private static func targetWords(_ event: Event) -> String {
        var words = TargetHealth.Status.allCases.reversed().compactMap { status -> String? in
            let names = event.targets.filter { $0.status == status }.map(\.target)
            guard !names.isEmpty else { return nil }
            return "\(list(names)) \(names.count == 1 ? "is" : "are") \(status.words)"
        }
        let others = words.isEmpty ? "all targets" : "all others"
        if event.othersUp { words.append("\(others) are \(TargetHealth.Status.up.words)") }
        if event.othersUnknown { words.append("\(others) are \(TargetHealth.Status.unknown.words)") }
        return words.joined(separator: "; ")
    }

    /// The first names: an event may be about thousands.
    private static func list(_ names: [String]) -> String {
        let most = 4
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        guard names.count <= most else {
            return "\(names.prefix(most - 1).joined(separator: ", ")) and \(names.count - most + 1) more"
        }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension TargetHealth.Status {
    fileprivate var words: String {
        switch self {
        case .up: "up"
        case .down: "down"
        case .unknown: "not known"
        }
    }
}
