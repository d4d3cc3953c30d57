internal import Evidence
internal import NetworkAddress

extension Situation {
    /// Every situation that the model has to get right.
    package static let all = uplinks + names + targets + tunnels + portals + hosts + poor + aftermaths + variants

    /// When things begin to happen; turns by then have gone round a few times.
    static let cause = 32.0

    private static func at(_ world: inout World, _ truth: Truth, _ change: @escaping @Sendable (inout World) -> Void) {
        world.at(cause + Double.random(in: 0..<6, using: &world.random)) { world in
            world.become(truth)
            change(&world)
        }
    }

    private static func back(
        _ world: inout World, after seconds: Double = 40, _ change: @escaping @Sendable (inout World) -> Void
    ) {
        world.at(cause + 6 + seconds) { world in
            world.become(.full)
            change(&world)
        }
    }

    private static let dead = Truth([.local], [.uplink])

    private static func down(_ targets: Set<Int>) -> Truth { Truth([.limited], [.target], down: targets, grace: 25) }

    // MARK: The uplink

    static let uplinks: [Situation] = [
        Situation("all well, 5 targets") { $0.home() },
        Situation("all well, 20 targets") { $0.home(targets: 20) },
        Situation("all well, defaults", seconds: 200) { world in
            world.home(targets: 0)
            world.watched = []
            world.addReferences(.reference)
        },
        Situation("silent upstream, 5 targets") { world in
            world.home()
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream, 20 targets") { world in
            world.home(targets: 20)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream, 1 target") { world in
            world.home(targets: 1)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream, router answers SERVFAIL") { world in
            world.home(names: .router)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream, defaults", seconds: 140) { world in
            world.home(targets: 0)
            world.watched = []
            world.addReferences(.reference)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream and back", seconds: 120) { world in
            world.home()
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
            back(&world) { $0.lines[World.uplink].isCut = false }
        },
        Situation("silent upstream and back, router forwards", seconds: 120) { world in
            world.home(names: .router)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
            back(&world) { $0.lines[World.uplink].isCut = false }
        },
        Situation("silent upstream, 200 targets") { world in
            world.home(targets: 200)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
        },
        Situation("silent upstream, 200 targets, and back", seconds: 120) { world in
            world.home(targets: 200)
            at(&world, dead) { $0.lines[World.uplink].isCut = true }
            back(&world) { $0.lines[World.uplink].isCut = false }
        },
        Situation("the gateway says unreachable") { world in
            world.home()
            at(&world, dead) {
                $0.lines[World.uplink].isCut = true
                $0.lines[World.uplink].tells = true
            }
        },
        Situation("the gateway says unreachable, 20 targets") { world in
            world.home(targets: 20)
            at(&world, dead) {
                $0.lines[World.uplink].isCut = true
                $0.lines[World.uplink].tells = true
            }
        },
        Situation("dead gateway: the kernel says so after three seconds") { world in
            world.home()
            at(&world, dead) {
                $0.lines[World.uplink].isCut = true
                $0.lines[World.uplink].tells = true
                $0.lines[World.uplink].tellsAfter = 2.9
            }
        },
        Situation("dead link: box and uplink", seconds: 100) { world in
            world.home()
            world.addBox()
            at(&world, dead) {
                $0.lines[World.uplink].isCut = true
                $0.lines[World.link].isCut = true
            }
        },
        Situation("dead upstream, box on the link lives") { world in
            world.home()
            world.addBox()
            at(&world, Truth([.local], [.uplink])) { $0.lines[World.uplink].isCut = true }
        },
        Situation("carrier lost and back", seconds: 110) { world in
            world.home()
            at(&world, Truth([.none], [.path])) {
                $0.isReachable = false
                $0.lines[World.uplink].isCut = true
                $0.tellNetwork()
            }
            back(&world) {
                $0.isReachable = true
                $0.lines[World.uplink].isCut = false
                $0.tellNetwork()
            }
        },
        Situation("cold start, silent upstream", seconds: 60) { world in
            world.home()
            world.startWith(dead)
            world.lines[World.uplink].isCut = true
        },
        Situation("cold start, router says SERVFAIL", seconds: 60) { world in
            world.home(names: .router)
            world.startWith(dead)
            world.lines[World.uplink].isCut = true
        },
        Situation("cold start, router says SERVFAIL, one target", seconds: 60) { world in
            world.home(targets: 1, names: .router)
            world.startWith(dead)
            world.lines[World.uplink].isCut = true
        },
        Situation("one family dead") { world in
            world.home(ipv6: true)
            at(&world, Truth([.limited], [.uplink], grace: 25)) { $0.lines[2].isCut = true }
        },
        Situation("cold start, one family dead", seconds: 60) { world in
            world.home(ipv6: true)
            world.startWith(Truth([.limited], [.uplink]))
            world.lines[2].isCut = true
        },
        Situation("cold start, the other family dead", seconds: 60) { world in
            world.home(ipv6: true)
            world.startWith(Truth([.limited, .full], [.uplink, nil]))
            world.lines[0].isCut = true
        },
        Situation("the other family dead", seconds: 100) { world in
            world.home(ipv6: true)
            world.truth = .full
            at(&world, Truth([.limited, .full], [.uplink, nil])) { $0.lines[0].isCut = true }
        },
        Situation("both families dead") { world in
            world.home(ipv6: true)
            at(&world, dead) {
                $0.lines[0].isCut = true
                $0.lines[2].isCut = true
            }
        },
    ]

    // MARK: Names

    static let names: [Situation] = [
        Situation("name server dead, behind") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.silent) }
        },
        Situation("name server dead, on the link") { world in
            world.home(names: .onLink)
            at(&world, all(5, .resolver)) { $0.setNameServers(.silent) }
        },
        Situation("name server dead, 20 targets") { world in
            world.home(targets: 20)
            at(&world, all(20, .resolver)) { $0.setNameServers(.silent) }
        },
        Situation("name server dead, one target") { world in
            world.home(targets: 1)
            at(&world, all(1, .resolver)) { $0.setNameServers(.silent) }
        },
        Situation("name server dead and back", seconds: 120) { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.silent) }
            back(&world) { $0.setNameServers(.well) }
        },
        Situation("NXDOMAIN for all") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.denies) }
        },
        Situation("NXDOMAIN for all, on the link") { world in
            world.home(names: .onLink)
            at(&world, all(5, .resolver)) { $0.setNameServers(.denies) }
        },
        Situation("SERVFAIL for all") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.fails) }
        },
        Situation("SERVFAIL for all, router, uplink well") { world in
            world.home(names: .router)
            at(&world, all(5, .resolver)) { $0.setNameServers(.fails) }
        },
        Situation("the name server refuses") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.refuses) }
        },
        Situation("the name server's port is closed") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.closed) }
        },
        Situation("the name server's port is closed, on the router") { world in
            world.home(names: .router)
            at(&world, all(5, .resolver)) { $0.setNameServers(.closed) }
        },
        Situation("the name server's port is closed, and nothing else is there") { world in
            world.home()
            world.servers.keys.forEach { world.servers[$0]?.mood = .silent }
            world.setNameServers(.closed)
            world.become(all(5, .resolver))
        },
        Situation("SERVFAIL for one of five") { world in
            world.home()
            at(&world, down([3])) { $0.setNameServers(.failsFor(["target3"])) }
        },
        Situation("NXDOMAIN for one of five") { world in
            world.home()
            at(&world, down([1])) { $0.setNameServers(.deniesFor(["target1"])) }
        },
        Situation("NXDOMAIN for one of five, and for what is only asked in doubt") { world in
            world.home()
            let references: Set = ["reference0", "reference1", "reference2", "reference3", "reference4"]
            world.setNameServers(.deniesFor(references))
            at(&world, down([1])) { $0.setNameServers(.deniesFor(references.union(["target1"]))) }
        },
        Situation("hijack") { world in
            world.home()
            at(&world, all(5, .resolver)) { $0.setNameServers(.hijacks) }
        },
        Situation("slow name server") { world in
            world.home()
            at(&world, .full) { $0.setNameServers(.slow(1.2)) }
        },
        Situation("second name server takes over") { world in
            world.home()
            world.addNameServer(.onLink)
            at(&world, .full) { $0.nameServers[$0.nameServerOrder[0]]?.mood = .silent }
        },
        Situation("a name moves, the old address silent") { world in
            world.home()
            at(&world, .full) { $0.move(2) }
        },
        Situation("a name moves, the only target") { world in
            world.home(targets: 1)
            at(&world, .full) { $0.move(0) }
        },
        Situation("cold start, name server dead", seconds: 60) { world in
            world.home()
            world.startWith(all(5, .resolver))
            world.setNameServers(.silent)
        },
        Situation("cold start, name server on the link dead", seconds: 60) { world in
            world.home(names: .onLink)
            world.startWith(all(5, .resolver))
            world.setNameServers(.silent)
        },
        Situation("cold start, NXDOMAIN for all", seconds: 60) { world in
            world.home()
            world.startWith(all(5, .resolver))
            world.setNameServers(.denies)
        },
        Situation("cold start, NXDOMAIN for all, on the link, nobody else may be asked", seconds: 60) { world in
            world.home(names: .onLink, witnesses: false)
            world.startWith(all(5, .resolver))
            world.setNameServers(.denies)
        },
        Situation("cold start, SERVFAIL for one", seconds: 60) { world in
            world.home()
            world.startWith(down([3]))
            world.setNameServers(.failsFor(["target3"]))
        },
    ]

    private static func all(_ count: Int, _ culprit: Culprit) -> Truth {
        Truth([.limited], [culprit], down: [], perhaps: Set(0..<count), grace: 25)
    }

    // MARK: Targets

    static let targets: [Situation] = [
        dying("3 of 20 dead", of: 20, [0, 1, 2], .silent),
        dying("17 of 20 dead", of: 20, Set(0..<17), .silent),
        dying("10 of 20 dead", of: 20, Set(10..<20), .silent),
        dying("2 of 5 dead", of: 5, [0, 3], .silent),
        dying("all 5 dead, uplink well", of: 5, Set(0..<5), .silent),
        dying("the only target dead", of: 1, [0], .silent),
        dying("one refuses", of: 5, [1], .refuses),
        dying("one answers 500", of: 5, [1], .unexpected),
        dying("one resets", of: 5, [1], .resets),
        dying("one loses large packets", of: 5, [1], .connectsOnly),
        dying("one is told unreachable", of: 5, [1], .unreachable),
        dying("one redirects to its SSO", of: 5, [1], .redirects),
        dying("the only target redirects to its SSO", of: 1, [0], .redirects),
        dying("one certificate expired", of: 5, [2], .expired),
        dying("one certificate forged", of: 5, [2], .forged),
        Situation("the only target dead, nobody else may be asked") { world in
            world.home(targets: 1, names: .onLink, witnesses: false)
            at(&world, Truth([.local, .limited], [.unknown, .target], perhaps: [0], grace: 25)) {
                $0.set(.silent, for: [0])
            }
        },
        Situation("the only target dead, no other host answers but a name server to questions", seconds: 100) { world in
            world.home(targets: 1, witnesses: false)
            for address in world.nameServerOrder { world.nameServers[address]?.dropsOthers = true }
            at(&world, Truth([.local, .limited], [.unknown, .target], down: [0], grace: 25)) {
                $0.set(.silent, for: [0])
            }
        },
        Situation("LAN box down") { world in
            world.home(targets: 2)
            let box = world.addBox()
            at(&world, down([box])) { $0.set(.silent, for: [box]) }
        },
        Situation("LAN box down, the only target") { world in
            world.home(targets: 0)
            let box = world.addBox()
            at(&world, down([box])) { $0.set(.silent, for: [box]) }
        },
        Situation("LAN box down, the only target, and this host sleeps", seconds: 160) { world in
            world.home(targets: 0)
            let box = world.addBox()
            at(&world, down([box])) { $0.set(.silent, for: [box]) }
            world.at(cause + 30) { $0.sleep() }
            world.at(cause + 60) {
                $0.resume()
                $0.become(down([box]))
            }
        },
        Situation("LAN box down, the only target, and the link comes back", seconds: 160) { world in
            world.home(targets: 0)
            let box = world.addBox()
            at(&world, down([box])) { $0.set(.silent, for: [box]) }
            world.at(cause + 30) {
                $0.isReachable = false
                $0.become(Truth([.none], [.path]))
                $0.tellNetwork()
            }
            world.at(cause + 60) {
                $0.isReachable = true
                $0.tellNetwork()
                $0.become(down([box]))
            }
        },
        Situation("ten of 200 on one server down") { world in
            world.home(targets: 200)
            let shared = World.address(203, 0, 113, 1)
            for target in 0..<10 { world.addresses["target\(target)"] = [shared] }
            for target in 0..<10 { world.watched[target].transport = .plainHTTP }
            at(&world, down(Set(0..<10))) { $0.set(.silent, for: [0]) }
        },
        Situation("3 of 20 on one server down") { world in
            world.home(targets: 20)
            for target in 0..<3 {
                world.addresses["target\(target)"] = [World.address(203, 0, 113, 1)]
                world.watched[target].transport = .plainHTTP
            }
            at(&world, down([0, 1, 2])) { $0.set(.silent, for: [0]) }
        },
        Situation("ten of 200 down") { world in
            world.home(targets: 200)
            at(&world, down(Set(40..<50))) { $0.set(.silent, for: 40..<50) }
        },
        Situation("2 of 5 dead and back", seconds: 130) { world in
            world.home()
            at(&world, down([0, 3])) { $0.set(.silent, for: [0, 3]) }
            back(&world) { $0.set(.well, for: [0, 3]) }
        },
        Situation("one operator of references dead", seconds: 240) { world in
            world.home(targets: 0)
            world.watched = []
            world.addReferences(.reference)
            at(&world, Truth([.full], [nil], perhaps: [0])) { $0.set(.silent, for: [0]) }
        },
        Situation("cold start, 3 of 20 dead", seconds: 60) { world in
            world.home(targets: 20)
            world.startWith(down([0, 1, 2]))
            world.set(.silent, for: [0, 1, 2])
        },
        Situation("cold start, 17 of 20 dead", seconds: 60) { world in
            world.home(targets: 20)
            world.startWith(down(Set(0..<17)))
            world.set(.silent, for: 0..<17)
        },
        Situation("cold start, the only target dead", seconds: 60) { world in
            world.home(targets: 1)
            world.startWith(down([0]))
            world.set(.silent, for: [0])
        },
        Situation("dead upstream while 2 of 5 are down", seconds: 130) { world in
            world.home()
            world.startWith(down([0, 3]))
            world.set(.silent, for: [0, 3])
            world.at(60) {
                $0.lines[World.uplink].isCut = true
                $0.become(Truth([.local], [.uplink]))
            }
        },
    ]

    private static func dying(_ name: String, of count: Int, _ targets: Set<Int>, _ mood: Server.Mood) -> Situation {
        Situation(name) { world in
            world.home(targets: count)
            at(&world, down(targets)) { $0.set(mood, for: targets) }
        }
    }

    // MARK: Tunnels

    static let tunnels: [Situation] = [
        Situation("split tunnel dead") { world in
            world.home()
            world.addTunnel(isFull: false, targets: 3..<5)
            at(&world, Truth([.limited], [.path])) { $0.lines[$0.tunnel].isCut = true }
        },
        Situation("split tunnel lives, uplink dead") { world in
            world.home()
            world.addTunnel(isFull: false, targets: 3..<5)
            at(&world, dead) { $0.lines[$0.physical].isCut = true }
        },
        Situation("one target behind a split tunnel dead") { world in
            world.home()
            world.addTunnel(isFull: false, targets: 3..<5)
            at(&world, down([3])) { $0.set(.silent, for: [3]) }
        },
        Situation("full tunnel dead") { world in
            world.home()
            world.addTunnel(isFull: true, targets: 0..<5)
            at(&world, Truth([.local, .limited], [.path])) { $0.lines[$0.tunnel].isCut = true }
        },
        Situation("full tunnel, uplink dead") { world in
            world.home()
            world.addTunnel(isFull: true, targets: 0..<5)
            at(&world, dead) { $0.lines[$0.physical].isCut = true }
        },
        Situation("full tunnel, one target dead") { world in
            world.home()
            world.addTunnel(isFull: true, targets: 0..<5)
            at(&world, down([1])) { $0.set(.silent, for: [1]) }
        },
        Situation("cold start, full tunnel dead", seconds: 60) { world in
            world.home()
            world.addTunnel(isFull: true, targets: 0..<5)
            world.startWith(Truth([.local, .limited], [.path]))
            world.lines[world.tunnel].isCut = true
        },
        Situation("one gateway of two dead") { world in
            world.home()
            world.addGateway(targets: 3..<5)
            at(&world, Truth([.limited], [.path])) { $0.lines[$0.lines.count - 1].isCut = true }
        },
    ]

    // MARK: Portals

    static let portals: [Situation] = [
        portal("a portal that drops", .drops),
        portal("a portal that resets", .resets),
        portal("a portal that forges certificates", .forges),
        Situation("a portal that resets, ports that are only connected to") { world in
            world.home()
            for target in 0..<5 {
                world.makeSecure(target)
                world.watched[target].transport = .other
            }
            at(&world, Truth([.portal], [.uplink])) { $0.lines[World.uplink].portal = .resets }
        },
        Situation("a portal, references only", seconds: 200) { world in
            world.home(targets: 0)
            world.watched = []
            world.addReferences(.reference)
            at(&world, Truth([.portal], [.uplink], grace: 70)) { $0.lines[World.uplink].portal = .drops }
        },
        Situation("a portal, references only, one always wrong", seconds: 300) { world in
            world.home(targets: 0)
            world.watched = []
            world.addReferences(.reference, interval: 180)
            world.set(.unexpected, for: [0])
            world.startWith(Truth([.full], [nil], perhaps: [0]))
            at(&world, Truth([.portal], [.uplink], grace: 45)) { $0.lines[World.uplink].portal = .drops }
        },
        portalInPlace("a portal, the only target wrong before", of: .unexpected),
        portalInPlace("a portal, the only target sent elsewhere before", of: .redirects),
        Situation("a portal expires and a login", seconds: 140) { world in
            world.home()
            at(&world, Truth([.portal], [.uplink])) { $0.lines[World.uplink].portal = .drops }
            back(&world) { $0.lines[World.uplink].portal = .none }
        },
        Situation("a portal that lets no IPv6 through, and a login, secure targets only", seconds: 140) { world in
            world.home(targets: 1, ipv6: true, interval: 5)
            world.makeSecure(0)
            at(&world, Truth([.portal], [.uplink])) {
                $0.lines[World.uplink].portal = .drops
                $0.lines[2].isCut = true
            }
            back(&world) {
                $0.lines[World.uplink].portal = .none
                $0.lines[2].isCut = false
            }
        },
        Situation("a portal that comes and goes, secure targets only", seconds: 100) { world in
            world.home(interval: 2)
            for target in 0..<5 { world.makeSecure(target) }
            for start in stride(from: 32.0, through: 77, by: 15) {
                let length = Double.random(in: 4..<7, using: &world.random)
                world.at(start) {
                    $0.become(Truth([.portal, .full], [.uplink, nil]))
                    $0.lines[World.uplink].portal = .drops
                }
                world.at(start + length) {
                    $0.become(.full)
                    $0.lines[World.uplink].portal = .none
                }
            }
        },
        Situation("cold start in a portal, and a login", seconds: 100) { world in
            world.home()
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .drops
            back(&world) { $0.lines[World.uplink].portal = .none }
        },
        Situation("cold start in a portal, secure targets only", seconds: 60) { world in
            world.home(targets: 3)
            for target in 0..<3 {
                world.watched[target].transport = .secure
                for address in world.addresses["target\(target)"] ?? [] { world.servers[address]?.transport = .secure }
            }
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .forges
        },
        Situation("a portal that is gone when the link is back", seconds: 120) { world in
            world.home()
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .drops
            world.at(50) {
                $0.isReachable = false
                $0.become(Truth([.none], [.path], grace: 1))
                $0.send(.network($0.network))
            }
            world.at(60) {
                $0.lines[World.uplink].portal = .none
                $0.isReachable = true
                $0.become(Truth([.full, .unknown], [nil], grace: 1))
                $0.send(.network($0.network))
            }
        },
        Situation("a portal whose witness is found no more, and the uplink dies", seconds: 200) { world in
            world.home()
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .drops
            world.at(50) {
                $0.setNameServers(.silent)
                $0.become(Truth([.portal, .limited, .local], [.uplink, .resolver], perhaps: Set(0..<5)))
            }
            world.at(80) {
                $0.lines[World.uplink].isCut = true
                $0.become(Truth([.local], [.uplink], grace: 60))
            }
        },
        deadInPortal("the uplink dies in a portal", isToldOf: false, ipv6: false),
        deadInPortal("the uplink dies in a portal, and the router says so", isToldOf: true, ipv6: false),
        deadInPortal("the uplink dies in a portal by IPv4", isToldOf: false, ipv6: true),
        deadInPortal("the uplink dies in a portal by IPv4, and the router says so", isToldOf: true, ipv6: true),
    ]

    /// What was behind a portal is not to be reached any more, nor is the portal.
    private static func deadInPortal(_ name: String, isToldOf: Bool, ipv6: Bool) -> Situation {
        Situation(name, seconds: 120) { world in
            world.home(ipv6: ipv6)
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .drops
            if ipv6 { world.lines[2].isCut = true }
            world.at(50) {
                for line in $0.lines.indices where $0.lines[line].reachesAll {
                    ($0.lines[line].isCut, $0.lines[line].tells) = (true, isToldOf)
                }
                $0.become(Truth([.local, .portal], [.uplink], grace: 25))
            }
        }
    }

    /// A portal answers in the place of the only target, which was not well before.
    private static func portalInPlace(_ name: String, of mood: Server.Mood) -> Situation {
        Situation(name, seconds: 160) { world in
            world.home(targets: 1)
            world.set(mood, for: [0])
            world.startWith(Truth([.limited], [.target], down: [0]))
            at(&world, Truth([.portal], [.uplink], grace: 70)) { $0.lines[World.uplink].portal = .drops }
        }
    }

    private static func portal(_ name: String, _ kind: Line.Portal) -> Situation {
        Situation(name) { world in
            world.home()
            at(&world, Truth([.portal], [.uplink])) { $0.lines[World.uplink].portal = kind }
        }
    }

    // MARK: This host

    static let hosts: [Situation] = [
        Situation("the clock is off") { world in
            world.home()
            for target in [0, 1] { world.makeSecure(target) }
            at(&world, Truth([.limited], [.host], grace: 25)) { $0.isClockRight = false }
        },
        Situation("the clock is off, one secure target") { world in
            world.home(targets: 3)
            at(&world, Truth([.limited], [.host], grace: 25)) { $0.isClockRight = false }
        },
        Situation("the clock is off, then right, and nobody else shows a certificate", seconds: 120) { world in
            world.home(targets: 3)
            world.hideCertificates()
            at(&world, Truth([.limited], [.host], grace: 25)) { $0.isClockRight = false }
            world.at(cause + 40) {
                $0.isClockRight = true
                $0.become(.full)
            }
        },
        Situation("cold start, the clock is off, and nobody else shows a certificate") { world in
            world.home(targets: 3)
            world.hideCertificates()
            world.startWith(Truth([.limited], [.host]))
            world.isClockRight = false
        },
        Situation("cold start, the clock is off, then right", seconds: 100) { world in
            world.home()
            world.makeSecure(0)
            world.startWith(Truth([.limited], [.host]))
            world.isClockRight = false
            back(&world) { $0.isClockRight = true }
        },
        Situation("no descriptors") { world in
            world.home()
            at(&world, Truth([.unknown, .limited], [.host], grace: 25)) { $0.hasDescriptors = false }
        },
        Situation("no descriptors for ten seconds", seconds: 100) { world in
            world.home()
            at(&world, Truth([.unknown, .limited, .full], [.host, nil])) { $0.hasDescriptors = false }
            world.at(cause + 17) {
                $0.hasDescriptors = true
                $0.become(.full)
            }
        },
        Situation("suspend for ten minutes", seconds: 700) { world in
            world.home()
            world.at(cause) { $0.sleep() }
            world.at(cause + 600) {
                $0.resume()
                $0.become(.full)
            }
        },
        Situation("suspend, and wake without an uplink", seconds: 700) { world in
            world.home()
            world.at(cause) { $0.sleep() }
            world.at(cause + 600) {
                $0.lines[World.uplink].isCut = true
                $0.resume()
                $0.become(dead)
            }
        },
        Situation("stopped for a minute") { world in
            world.home()
            world.at(cause) { $0.stop() }
            world.at(cause + 60) {
                $0.go()
                $0.become(.full)
            }
        },
        Situation("an interface gone") { world in
            world.home()
            at(&world, Truth([.none], [.path])) {
                $0.isReachable = false
                $0.tellNetwork()
            }
        },
        Situation("another uplink takes over", seconds: 100) { world in
            world.home()
            at(&world, .full) {
                for line in $0.lines.indices { $0.lines[line].way.interface = "wlan0" }
                $0.tellNetwork()
            }
        },
    ]

    // MARK: Poor

    private static let lossy = Truth([.limited, .full], [.uplink, nil], grace: 60)

    static let poor: [Situation] = [
        lossy("10 % loss, 20 targets", 0.1, targets: 20, Truth([.limited, .full], [.uplink, nil])),
        lossy("10 % loss, 5 targets", 0.1, targets: 5, Truth([.limited, .full], [.uplink, nil])),
        lossy("30 % loss, 5 targets", 0.3, targets: 5, Truth([.limited], [.uplink], grace: 60)),
        lossy("50 % loss, 5 targets", 0.5, targets: 5, Truth([.limited], [.uplink], grace: 60)),
        lossy("50 % loss, 20 targets", 0.5, targets: 20, Truth([.limited], [.uplink], grace: 60)),
        overloaded("one server of five takes half of the connections", of: 5, by: [1], 0.5),
        overloaded("two servers of five take half of the connections", of: 5, by: [1, 1], 0.5),
        overloaded("two servers of twenty take half of the connections", of: 20, by: [1, 1], 0.5),
        overloaded("three servers of twenty take one of three connections", of: 20, by: [1, 1, 1], 0.67),
        overloaded("a server of 6 of 9 targets takes half of the connections", of: 9, by: [6], 0.5),
        overloaded("a server of 6 of 9 targets takes four of five connections", of: 9, by: [6], 0.2),
        overloaded("a server of 15 of 20 targets takes two of three connections", of: 20, by: [15], 0.33),
        overloaded("two servers of 8 of 20 targets take half of the connections", of: 20, by: [4, 4], 0.5),
        Situation("30 % loss for a minute, then none", seconds: 260) { world in
            world.home()
            at(&world, lossy) { $0.lines[World.uplink].loss = 0.3 }
            back(&world, after: 60) { $0.lines[World.uplink].loss = 0 }
        },
        Situation("cold start, 30 % loss", seconds: 120) { world in
            world.home()
            world.startWith(Truth([.limited], [.uplink], grace: 60), after: .full)
            world.lines[World.uplink].loss = 0.3
        },
        Situation("one dead at 10 % loss", seconds: 120) { world in
            world.home()
            world.startWith(Truth([.limited, .full], [.uplink, nil]))
            world.lines[World.uplink].loss = 0.1
            at(&world, Truth([.limited], [.uplink, .target], down: [1], grace: 60)) { $0.set(.silent, for: [1]) }
        },
        Situation("latency × 10") { world in
            world.home()
            at(&world, Truth([.full, .limited], [nil, .uplink])) { $0.lines[World.uplink].latency = 10 }
        },
        Situation("latency × 10, 20 targets") { world in
            world.home(targets: 20)
            at(&world, Truth([.full, .limited], [nil, .uplink])) { $0.lines[World.uplink].latency = 10 }
        },
        Situation("a sleeping radio, one target a minute", seconds: 400) { world in
            world.home(targets: 1, interval: 60, interface: "wwan0")
            for line in 0...1 { (world.lines[line].sleeps, world.lines[line].isMetered) = (true, true) }
        },
        Situation("a sleeping radio, 5 targets", seconds: 200) { world in
            world.home(targets: 5, interval: 30, interface: "wwan0")
            for line in 0...1 { (world.lines[line].sleeps, world.lines[line].isMetered) = (true, true) }
        },
        blip("blip of 0.5 s", 0.5), blip("blip of 1 s", 1), blip("blip of 1.5 s", 1.5),
        Situation("blips of 1 s, each 20 s", seconds: 200) { world in
            world.home()
            world.truth = Truth([.full, .limited], [nil, .uplink])
            for number in 0..<6 {
                world.at(cause + Double(number) * 20) { $0.lines[World.uplink].isCut = true }
                world.at(cause + Double(number) * 20 + 1) { $0.lines[World.uplink].isCut = false }
            }
        },
        Situation("an upstream that flaps at 5 Hz") { world in
            world.home()
            at(&world, Truth([.limited, .local], [.uplink], grace: 60)) { $0.lines[World.uplink].flapping = 5 }
        },
        Situation("outages of 5 s, each 15 s, a target a minute", seconds: 200) { world in
            world.home(interval: 60)
            world.truth = Truth([.full, .limited, .local], [nil, .uplink])
            for number in 0..<8 {
                world.at(cause + Double(number) * 15) { $0.lines[World.uplink].isCut = true }
                world.at(cause + Double(number) * 15 + 5) { $0.lines[World.uplink].isCut = false }
            }
        },
        Situation("an upstream that flaps at 0.1 Hz", seconds: 200) { world in
            world.home()
            at(&world, Truth([.limited, .local, .full], [.uplink, nil], grace: 60)) {
                $0.lines[World.uplink].flapping = 0.1
            }
        },
        Situation("100 losses of a link in 20 s", seconds: 100) { world in
            world.home()
            for number in 0..<100 {
                world.at(cause + Double(number) * 0.2) {
                    $0.truth = Truth([.none, .full, .limited, .local], [.path, nil])
                    $0.looked = nil
                    $0.isReachable = false
                    $0.tellNetwork()
                }
                world.at(cause + Double(number) * 0.2 + 0.1) {
                    $0.isReachable = true
                    $0.tellNetwork()
                }
            }
            world.at(cause + 20) { $0.become(.full) }
        },
    ]

    /// Servers of so many targets each that take in only a part of the connections: their own fault, and none of the way's.
    private static func overloaded(_ name: String, of count: Int, by shares: [Int], _ loss: Double) -> Situation {
        Situation(name, seconds: 160) { world in
            world.home(targets: count, interval: 3)
            let servers = shares.indices.map { World.address(203, 0, 113, UInt8($0 + 1)) }
            let busy = zip(servers, shares).flatMap { repeatElement($0, count: $1) }
            for (target, address) in busy.enumerated() {
                world.addresses["target\(target)"] = [address]
                world.watched[target].transport = .plainHTTP
            }
            let truth = Truth([.full, .limited], [nil, .target], perhaps: Set(busy.indices))
            at(&world, truth) { for server in servers { $0.servers[server]?.loss = loss } }
        }
    }

    private static func lossy(_ name: String, _ loss: Double, targets: Int, _ truth: Truth) -> Situation {
        Situation(name, seconds: 160) { world in
            world.home(targets: targets)
            at(&world, truth) { $0.lines[World.uplink].loss = loss }
        }
    }

    private static func blip(_ name: String, _ seconds: Double) -> Situation {
        Situation(name) { world in
            world.home()
            let start = cause + Double.random(in: 0..<6, using: &world.random)
            world.at(start) {
                $0.become(.full)
                $0.lines[World.uplink].isCut = true
            }
            world.at(start + seconds) { $0.lines[World.uplink].isCut = false }
        }
    }
}

extension World {
    /// The world is so from the start.
    package mutating func startWith(_ new: Truth, after old: Truth? = nil) {
        truth = new
        lastTruth = old ?? new
        (report.causeAt, report.hasCause) = (begin, true)
    }

    /// A target's name leads elsewhere from now on, and no host is where it led before.
    package mutating func move(_ target: Int) {
        let name = "target\(target)"
        guard let old = addresses[name]?.first, let server = servers[old] else { return }
        let new = World.address(203, 0, 200, UInt8(1 + target))
        servers[new] = server
        servers[old]?.mood = .silent
        addresses[name] = [new]
    }

    /// No built-in reference is asked over TLS.
    package mutating func hideCertificates() {
        for index in watched.indices where watched[index].role == .witness && watched[index].transport == .secure {
            watched[index].transport = .other
        }
    }

    package mutating func makeSecure(_ target: Int) {
        watched[target].transport = .secure
        for address in addresses["target\(target)"] ?? [] { servers[address]?.transport = .secure }
    }

    /// A second router on the same link, by which some targets are reached.
    package mutating func addGateway(targets: Range<Int>) {
        let prefixes = [IPPrefix(World.address(10, 9, 0, 0), length: 16)].compactMap(\.self)
        lines.append(
            Line(Way(interface: "eth0", gateway: World.address(192, 168, 1, 2)), prefixes: prefixes))
        for target in targets {
            let (name, address) = ("target\(target)", World.address(10, 9, 0, UInt8(1 + target)))
            guard let old = addresses[name]?.first else { continue }
            servers[address] = servers[old]
            addresses[name] = [address]
        }
    }
}
