internal import Evidence

/// What one fault leaves behind for the next, and what several targets do at the same time that one is known for. Found by
/// ``Walk``.
extension Situation {
    static let aftermaths: [Situation] = [
        Situation("cold start, three of five send to their own login", seconds: 60) { world in
            world.home()
            world.set(.redirects, for: [0, 1, 3])
            world.startWith(Truth([.limited], [.target], down: [0, 1, 3]))
        },
        Situation("all five send to their own login from now on") { world in
            world.home()
            world.at(cause) {
                $0.become(Truth([.limited], [.target], down: Set(0..<5)))
                $0.set(.redirects, for: 0..<5)
            }
        },
        Situation("cold start, two of four certificates expired", seconds: 60) { world in
            world.home(targets: 4)
            for target in 0..<4 { world.makeSecure(target) }
            world.set(.expired, for: [0, 1])
            world.startWith(Truth([.limited], [.target], down: [0, 1]))
        },
        Situation("a portal, and a box on the link that answers", seconds: 120) { world in
            world.home(targets: 2)
            world.addBox()
            world.at(cause) {
                $0.become(Truth([.portal], [.uplink]))
                $0.lines[World.uplink].portal = .forges
            }
            world.at(cause + 40) {
                $0.become(.full)
                $0.lines[World.uplink].portal = .none
            }
        },
        login("a login, and the only target refuses", seconds: 140, isSecure: true, .refuses),
        login("a login, and the only target stalls", seconds: 77, isSecure: false, .connectsOnly),
        Situation("the clock is set while there is no way out", seconds: 120) { world in
            world.home()
            world.startWith(Truth([.limited], [.host]))
            world.isClockRight = false
            lose(&world, at: cause) { $0.isClockRight = true }
        },
        Situation("the clock is set while the uplink is dead", seconds: 140) { world in
            world.home()
            world.startWith(Truth([.limited], [.host]))
            world.isClockRight = false
            world.at(cause) {
                $0.become(dead)
                $0.lines[World.uplink].isCut = true
            }
            world.at(cause + 40) {
                $0.become(.full)
                $0.lines[World.uplink].isCut = false
                $0.isClockRight = true
            }
        },
        Situation("the clock is set, and the only secure target dies", seconds: 160) { world in
            world.home(targets: 3)
            world.startWith(Truth([.limited], [.host]))
            world.isClockRight = false
            world.at(cause) {
                $0.become(Truth([.limited], [.target, .host], down: [2], grace: 60))
                $0.isClockRight = true
                $0.set(.silent, for: [2])
            }
            world.at(cause + 70) { $0.become(Truth([.limited], [.target], down: [2])) }
        },
        Situation("no descriptors, and the uplink dies", seconds: 140) { world in
            world.home()
            world.startWith(Truth([.unknown, .limited], [.host]))
            world.hasDescriptors = false
            world.at(cause) { $0.lines[World.uplink].isCut = true }
            world.at(cause + 20) {
                $0.become(dead)
                $0.hasDescriptors = true
            }
        },
        Situation("no descriptors on a dead uplink", seconds: 140) { world in
            world.home(targets: 1)
            world.startWith(dead)
            world.lines[World.uplink].isCut = true
            world.at(cause) {
                $0.become(Truth([.unknown, .limited, .local], [.host, .uplink]))
                $0.hasDescriptors = false
            }
            world.at(cause + 30) {
                $0.become(dead)
                $0.hasDescriptors = true
            }
        },
        Situation("no descriptors until there is no way out", seconds: 120) { world in
            world.home()
            world.startWith(Truth([.unknown, .limited], [.host]))
            world.hasDescriptors = false
            lose(&world, at: cause) { $0.hasDescriptors = true }
        },
        Situation("the only target dies on a dead uplink, which comes back", seconds: 160) { world in
            world.home(targets: 1)
            world.forgetNames()
            world.at(cause) {
                $0.become(dead)
                $0.lines[World.uplink].isCut = true
            }
            world.at(cause + 60) { $0.set(.silent, for: [0]) }
            world.at(cause + 90) {
                $0.become(Truth([.limited], [.target], down: [0], grace: 30))
                $0.lines[World.uplink].isCut = false
            }
        },
        Situation("no Internet, a link that comes before its uplink", seconds: 140) { world in
            world.home(names: .router)
            world.closeOff()
            (world.isReachable, world.lines[World.uplink].isCut, world.lines[World.uplink].tells) = (false, true, true)
            world.startWith(Truth([.none], [.path]))
            world.at(20) {
                $0.become(dead)
                $0.isReachable = true
                $0.tellNetwork()
            }
            world.at(80) {
                $0.become(.full)
                ($0.lines[World.uplink].isCut, $0.lines[World.uplink].tells) = (false, false)
            }
        },
        Situation("cold start, no Internet, both families, one of five dead", seconds: 100) { world in
            world.home(names: .onLink, ipv6: true)
            world.closeOff()
            world.set(.silent, for: [3])
            world.startWith(Truth([.limited], [.target], down: [3]))
        },
        Situation("a login, the reference that has shown the portal sends elsewhere itself", seconds: 160) { world in
            world.homeOfReferences()
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = .resets
            world.at(cause) {
                $0.become(Truth([.full], [nil], perhaps: [3], grace: 45))
                $0.lines[World.uplink].portal = .none
                $0.set(.redirects, for: [3])
            }
        },
        Situation("an outage of 1.5 s, router says SERVFAIL") { world in
            world.home(names: .router)
            world.at(cause) { $0.lines[World.uplink].isCut = true }
            world.at(cause + 1.5) { $0.lines[World.uplink].isCut = false }
        },
    ]

    private static let dead = Truth([.local], [.uplink])

    /// By the time of a login the only target that has shown the portal is down.
    private static func login(_ name: String, seconds: Double, isSecure: Bool, _ mood: Server.Mood) -> Situation {
        Situation(name, seconds: seconds) { world in
            world.home(targets: 1)
            if isSecure { world.makeSecure(0) }
            world.startWith(Truth([.portal], [.uplink]))
            world.lines[World.uplink].portal = isSecure ? .forges : .drops
            world.at(cause) {
                $0.become(Truth([.limited], [.target], down: [0], grace: 25))
                $0.lines[World.uplink].portal = .none
                $0.set(mood, for: [0])
            }
        }
    }

    /// There is no way out for a while, in which something is mended.
    private static func lose(
        _ world: inout World, at seconds: Double, _ mend: @escaping @Sendable (inout World) -> Void
    ) {
        world.at(seconds) {
            $0.become(Truth([.none], [.path], grace: 1))
            $0.isReachable = false
            $0.tellNetwork()
        }
        world.at(seconds + 20) { mend(&$0) }
        world.at(seconds + 30) {
            $0.become(Truth([.full, .unknown], [nil], grace: 1))
            $0.isReachable = true
            $0.tellNetwork()
        }
    }
}
