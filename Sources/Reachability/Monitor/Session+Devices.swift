import Netlink

/// What is learnt of devices beyond their messages: when one appears, is renamed, or gets its carrier, and not otherwise.
extension Session {
    /// Learns of all links, at the start and after a state read anew.
    func learnAll() {
        reducer.surroundings.facts = [:]
        reducer.surroundings.speeds = [:]
        reducer.surroundings.nameServers = nameServers.read()
        let hardware = reducer.state.links.values.filter(\.mayBeHardware)
        reducer.surroundings.wireless = hardware.isEmpty ? [:] : inspector.wirelessInterfaces()
        for link in hardware { learn(link) }
    }

    /// Learns what a change of a link makes worth knowing, and forgets what it makes worthless.
    func learn(from change: StateChange) {
        guard case .told(.link(let kind, let link)) = change.event else { return }
        if kind == .deleted || change.previous == nil { forget(link.index) }
        if change.previous?.flags.contains(.lowerUp) != link.flags.contains(.lowerUp) {
            reducer.surroundings.speeds[link.index] = nil
        }
        guard kind == .new, link.mayBeHardware, change.previous?.name != link.name else { return }
        reducer.surroundings.wireless = inspector.wirelessInterfaces()
        learn(link)
    }

    /// Asks for the speeds of links that have come into the path's list.
    ///
    /// - Returns: Whether there were any.
    func learnSpeeds() -> Bool {
        let unknown = listed.filter { reducer.surroundings.speeds[$0] == nil }
        for index in unknown {
            reducer.surroundings.speeds[index] = reducer.state.links[index].flatMap(inspector.speed) ?? 0
        }
        return unknown.contains { reducer.surroundings.speeds[$0] != 0 }
    }

    /// Asks WireGuard for its peers, which move without a message.
    func learnWireGuards() {
        let links = reducer.wireGuards
        guard !links.isEmpty || reducer.surroundings.wireGuards != nil else { return }
        var known: [UInt32: WireGuardDevice] = [:]
        for link in links { known[link.index] = inspector.wireGuard(link) }
        reducer.surroundings.wireGuards = known.isEmpty ? nil : known
    }

    private func learn(_ link: LinkMessage) {
        reducer.surroundings.facts[link.index] = inspector.facts(link, wireless: reducer.surroundings.wireless)
    }

    private func forget(_ index: UInt32) {
        reducer.surroundings.facts[index] = nil
        reducer.surroundings.speeds[index] = nil
        reducer.surroundings.wireless[index] = nil
        reducer.surroundings.carriers[index] = nil
    }
}

extension LinkMessage {
    /// Whether the message leaves open what the device is.
    fileprivate var mayBeHardware: Bool {
        (kind == nil && !flags.contains(.loopback)) || kind == "ppp"
    }
}
