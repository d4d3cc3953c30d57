import Netlink

/// What is learnt of devices beyond their messages: when one appears, is renamed, or gets its carrier, and not otherwise.
extension MonitorSession {
    /// Learns of all links, at the start, where there is no cause, and after a state read anew.
    func learnAll(because cause: ResyncCause?) {
        let known = reducer.surroundings.facts
        reducer.surroundings.facts = [:]
        let servers = nameServers.read()
        if let servers { reducer.surroundings.nameServers = servers }
        areNameServersUnread = servers == nil
        let hardware = reducer.state.links.values.filter(Self.mayBeHardware)
        reducer.surroundings.wireless = hardware.isEmpty ? [:] : inspector.wirelessInterfaces()
        // The first driver may have come after the socket and before the dump, and any while news was lost.
        let mayBeUnheard = wirelessNews == nil || cause != nil
        if mayBeUnheard, !reducer.surroundings.wireless.isEmpty { isWirelessOutdated = true }
        var facts = facts(of: hardware)
        // Lines that were told apart as they came cannot be any more, and are what they were.
        for link in hardware where link.isLine && facts[link.index] == LinkFacts() {
            facts[link.index] = known[link.index] ?? LinkFacts()
        }
        reducer.surroundings.facts = facts
        // What was lost may have been news of any link, and its number may be another's by now.
        let speeds = reducer.surroundings.speeds.filter { reducer.state.links[$0.key] != nil }
        if speeds != reducer.surroundings.speeds { reducer.surroundings.speeds = speeds }
        carriers.forgetAll(but: reducer.state.links)
        staleSpeeds.formUnion(listed)
    }

    /// Learns what a change of a link makes worth knowing, and forgets what it makes worthless.
    func learn(from change: StateChange) {
        guard case .told(.link(let kind, let link)) = change.event else { return }
        if kind == .deleted || change.previous == nil { forget(link.index) }
        let isOther = change.previous?.flags.contains(.lowerUp) != link.flags.contains(.lowerUp)
        if isOther { staleSpeeds.insert(link.index) }
        // Bonds, bridges and VLANs are as fast as what they run over.
        if isOther || change.previous?.details != link.details, listed.contains(link.index) {
            staleSpeeds.formUnion(listed)
        }
        guard kind == .new, Self.mayBeHardware(link), change.previous?.name != link.name else { return }
        if !link.isLine {
            reducer.surroundings.wireless = inspector.wirelessInterfaces()
            if change.previous == nil, reducer.surroundings.wireless[link.index] != nil { isWirelessOutdated = true }
        }
        reducer.surroundings.facts[link.index] = facts(of: [link])[link.index]
    }

    /// The links in the path's list whose speed is not known, or may have changed.
    var speedless: [LinkMessage] {
        listed.filter { reducer.surroundings.speeds[$0] == nil || staleSpeeds.contains($0) }.sorted()
            .compactMap { reducer.state.links[$0] }
    }

    /// Asks for the speeds of links while no change waits to be told.
    ///
    /// - Returns: Whether there were any.
    func learnSpeeds() -> Bool {
        learn(speeds: carriers.speeds(of: speedless + unlistedCables))
    }

    /// The virtual cables that the path does not list yet, where they are few, so that one that gets a way is told with
    /// its speed at once and not a second time. Where they are many, they are those of containers.
    private var unlistedCables: [LinkMessage] {
        let cables = reducer.state.links.values.filter { link in
            link.kind == "veth" && link.controllerIndex == nil && !listed.contains(link.index)
        }
        return cables.count > Self.fewCables ? [] : cables
    }

    private static var fewCables: Int { 8 }

    /// Takes what the drivers said.
    ///
    /// - Returns: Whether they said something new.
    func learn(speeds: [UInt32: UInt32]) -> Bool {
        var hasChanged = false
        for (index, speed) in speeds where reducer.state.links[index] != nil {
            staleSpeeds.remove(index)
            let known = reducer.surroundings.speeds[index]
            hasChanged = hasChanged || known ?? 0 != speed
            if known != speed { reducer.surroundings.speeds[index] = speed }
        }
        return hasChanged
    }

    /// Asks WireGuard for its peers, which move without a message.
    func learnWireGuards() {
        let links = reducer.wireGuards
        guard !links.isEmpty || reducer.surroundings.wireGuards != nil else { return }
        var known: [UInt32: WireGuardDevice] = [:]
        for link in links { known[link.index] = inspector.wireGuard(link) }
        reducer.surroundings.wireGuards = known.isEmpty ? nil : known
    }

    /// Whether the message leaves open what the device is.
    private static func mayBeHardware(_ link: LinkMessage) -> Bool {
        (link.kind == nil && !link.flags.contains(.loopback)) || link.kind == "ppp"
    }

    private func facts(of links: [LinkMessage]) -> [UInt32: LinkFacts] {
        // Asked once for all: a concentrator has thousands of lines.
        let line = links.contains(where: \.isLine) ? lineFacts(of: links) : nil
        var facts: [UInt32: LinkFacts] = [:]
        for link in links {
            facts[link.index] = link.isLine ? line : inspector.facts(link, wireless: reducer.surroundings.wireless)
        }
        return facts
    }

    private func lineFacts(of links: [LinkMessage]) -> LinkFacts {
        var known = reducer.surroundings.facts
        for link in links { known[link.index] = nil }
        let lines = reducer.state.links.values.filter(\.isLine)
        return DeviceInspector.lineFacts(lines: lines.count, others: lines.compactMap { known[$0.index] })
    }

    private func forget(_ index: UInt32) {
        staleSpeeds.remove(index)
        carriers.forget(index)
        survey.forget(index)
        let known = reducer.surroundings
        if known.facts[index] != nil { reducer.surroundings.facts[index] = nil }
        if known.speeds[index] != nil { reducer.surroundings.speeds[index] = nil }
        if known.wireless[index] != nil { reducer.surroundings.wireless[index] = nil }
        if known.carriers[index] != nil { reducer.surroundings.carriers[index] = nil }
        if known.ways?.contains(index) == true { reducer.surroundings.ways?.remove(index) }
    }
}
