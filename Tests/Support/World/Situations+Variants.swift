/// The same situations for other hosts, of whom the same has to be told.
extension Situation {
    static let variants: [Situation] =
        closedOff.compactMap { varied("no Internet: ", $0) { $0.closeOff() } }
        + byAddress.compactMap { varied("by address: ", $0) { $0.forgetNames() } }
        + seldom.compactMap { varied("each 30 s: ", $0) { $0.ask(each: 30) } }
        + inBothFamilies.compactMap { varied("both families: ", $0, before: { $0.hasBothFamilies = true }) }
        + amidRoutes.compactMap { name in
            varied("by address, routes come and go: ", name) { world in
                world.forgetNames()
                world.flapRoute()
            }
        }
        + hasty.compactMap { varied("time-out of 1 s: ", $0) { $0.wait(seconds: 1) } }

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

    /// Where a silence is over before the doubt that it has raised.
    private static let hasty = [
        "silent upstream, 5 targets", "silent upstream and back", "3 of 20 dead", "a portal that drops",
        "a portal that comes and goes, secure targets only",
    ]

    private static let plain = uplinks + names + targets + tunnels + portals + poor

    /// Those that are to be varied and are no situation: none, unless one is called otherwise now.
    package static let unknownNames: [String] = {
        let known = Set(plain.map(\.name))
        return (closedOff + byAddress + seldom + inBothFamilies + amidRoutes + hasty).filter { !known.contains($0) }
    }()

    private static func varied(
        _ words: String, _ name: String, before: @escaping @Sendable (inout World) -> Void = { _ in },
        _ change: @escaping @Sendable (inout World) -> Void = { _ in }
    ) -> Situation? {
        plain.first { $0.name == name }.map { situation in
            Situation(words + name, seconds: situation.seconds) { world in
                before(&world)
                situation.make(&world)
                change(&world)
            }
        }
    }
}
