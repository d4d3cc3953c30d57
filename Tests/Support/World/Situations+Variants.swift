/// The same situations for other hosts, of whom the same has to be told.
extension Situation {
    static let variants = variations.flatMap(\.situations)

    package static let variations: [Variation] = [
        Variation("no Internet: ", of: closedOff, after: { $0.closeOff() }),
        Variation("by address: ", of: byAddress, after: { $0.forgetNames() }),
        Variation("each 30 s: ", of: seldom, after: { $0.ask(each: 30) }),
        Variation("both families: ", of: inBothFamilies, before: { $0.hasBothFamilies = true }),
        Variation(
            "by address, routes come and go: ", of: amidRoutes,
            after: { world in
                world.forgetNames()
                world.flapRoute()
            }),
        Variation(
            "by address, metered: ", of: metered,
            after: { world in
                world.forgetNames()
                world.meter()
            }),
        Variation("first name server dead: ", of: withDeadServer, after: { $0.addDeadNameServer() }),
        Variation("time-out of 1 s: ", of: hasty, after: { $0.wait(seconds: 1) }),
        Variation("time-out of 10 s: ", of: early, after: { $0.wait(seconds: 10) }),
        Variation(
            "time-out of 10 s, first name server dead: ", of: early,
            after: { world in
                world.wait(seconds: 10)
                world.addDeadNameServer()
            }),
    ]

    /// Without a reference that answers: the targets and name servers show enough.
    private static let closedOff = [
        "silent upstream, 5 targets", "silent upstream, 1 target", "silent upstream and back",
        "silent upstream and back, router forwards", "the gateway says unreachable", "one family dead",
        "name server dead, behind", "name server dead, on the link", "name server dead and back", "NXDOMAIN for all",
        "SERVFAIL for all, router, uplink well", "3 of 20 dead", "17 of 20 dead", "the only target dead",
        "2 of 5 dead and back", "a portal that drops", "a portal expires and a login",
    ]

    /// Without a name server that is heard whatever becomes of the targets.
    private static let byAddress = [
        "silent upstream, 5 targets", "silent upstream, 1 target", "silent upstream and back",
        "the gateway says unreachable", "3 of 20 dead", "17 of 20 dead", "all 5 dead, uplink well",
        "the only target dead", "one refuses", "one is told unreachable", "2 of 5 dead and back", "split tunnel dead",
        "full tunnel dead", "a portal that drops",
    ]

    /// Where what was well the last time says little.
    private static let seldom = [
        "silent upstream, 5 targets", "silent upstream and back", "one refuses", "a portal that drops",
        "a portal that resets", "a portal expires and a login",
    ]

    /// Where one family may hide what becomes of the other.
    private static let inBothFamilies = [
        "silent upstream, 5 targets", "silent upstream and back", "the gateway says unreachable",
        "name server dead, behind", "name server dead, on the link", "3 of 20 dead", "2 of 5 dead and back",
        "a portal that drops", "a portal expires and a login", "10 % loss, 20 targets", "30 % loss, 5 targets",
        "30 % loss for a minute, then none", "two servers of five take half of the connections",
        "two servers of twenty take half of the connections", "three servers of twenty take one of three connections",
        "a server of 6 of 9 targets takes half of the connections",
        "two servers of 8 of 20 targets take half of the connections",
    ]

    /// Where a word has to be heard now and then.
    private static let amidRoutes = [
        "silent upstream, 5 targets", "silent upstream and back", "all 5 dead, uplink well", "the only target dead",
        "2 of 5 dead and back",
    ]

    /// Where little is asked for its own sake.
    private static let metered = [
        "silent upstream, 5 targets", "silent upstream and back", "all 5 dead, uplink well", "the only target dead",
        "2 of 5 dead and back", "a portal that drops",
    ]

    /// Where each name is found a moment later, by the second of two servers.
    private static let withDeadServer = [
        "silent upstream, 5 targets", "silent upstream and back", "cold start, 17 of 20 dead", "the only target dead",
        "name server dead and back", "a portal that drops",
    ]

    /// Where a silence is over before the doubt that it has raised.
    private static let hasty = [
        "silent upstream, 5 targets", "silent upstream and back", "3 of 20 dead", "a portal that drops",
        "a portal that comes and goes, secure targets only",
    ]

    /// Where what is dead is known long after what is well.
    private static let early = [
        "cold start, 3 of 20 dead", "cold start, 17 of 20 dead", "cold start, the only target dead",
    ]

    static let plain = uplinks + names + targets + tunnels + portals + poor
}
