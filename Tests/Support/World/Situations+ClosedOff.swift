/// Networks without the Internet: what is told has to be the same where no reference answers.
extension Situation {
    static let closedOff: [Situation] = (uplinks + names + targets + portals)
        .filter { toldByTargets.contains($0.name) }
        .map(\.closedOff)

    /// In these the targets and name servers show enough.
    private static let toldByTargets: Set = [
        "silent upstream, 5 targets", "silent upstream, 1 target", "silent upstream and back",
        "silent upstream and back, router forwards", "the gateway says unreachable", "one family dead",
        "name server dead, behind", "name server dead, on the link", "name server dead and back", "NXDOMAIN for all",
        "SERVFAIL for all, router, uplink well", "3 of 20 dead", "17 of 20 dead", "the only target dead",
        "2 of 5 dead and back", "a portal that drops", "a portal expires and a login",
    ]

    private var closedOff: Situation {
        Situation("no Internet: " + name, seconds: seconds) { world in
            make(&world)
            world.closeOff()
        }
    }
}
