/// The same situations for other hosts, of whom the same has to be told.
extension Situation {
    static let variants: [Situation] =
        closedOff.compactMap { varied("no Internet: ", $0) { $0.closeOff() } }
        + byAddress.compactMap { varied("by address: ", $0) { $0.forgetNames() } }
        + seldom.compactMap { varied("each 30 s: ", $0) { $0.ask(each: 30) } }

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

    /// Where most is learnt from questions that doubt has asked.
    private static let seldom = [
        "silent upstream, 5 targets", "silent upstream and back", "one refuses",
    ]

    private static func varied(
        _ words: String, _ name: String, _ change: @escaping @Sendable (inout World) -> Void
    ) -> Situation? {
        (uplinks + names + targets + tunnels + portals).first { $0.name == name }.map { situation in
            Situation(words + name, seconds: situation.seconds) { world in
                situation.make(&world)
                change(&world)
            }
        }
    }
}
