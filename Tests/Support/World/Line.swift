internal import EventLoop
package import Evidence
package import NetworkAddress

/// What packets by one way go through.
package struct Line: Sendable {
    package var way: Way
    /// Whether packets to anywhere leave by it, and to which addresses where not.
    package var reachesAll: Bool
    package var prefixes: [IPPrefix] = []
    /// The line under a tunnel.
    package var below: Int?
    package var isMetered = false
    /// Nothing comes through.
    package var isCut = false
    /// The part of packets that is lost in each direction.
    package var loss = 0.0
    package var latency = 1.0
    /// Whether the gateway says so when it cannot send on.
    package var tells = false
    /// After so many seconds: at once, or after this kernel has asked three times for the gateway itself.
    package var tellsAfter = 0.004
    /// Cut and whole again so many times a second; 0 for not.
    package var flapping = 0.0
    /// Whether a radio sleeps when nothing was sent for a while.
    package var sleeps = false
    package var portal = Portal.none
    /// Whether the kernel has a route by it.
    package var isRouted = true

    package enum Portal: Sendable { case none, drops, resets, forges }

    var lastActive = MonotonicTime(nanoseconds: 0)
    var awakeAt = MonotonicTime(nanoseconds: 0)
    /// Those of the gateway.
    var messages = MessageLimit()

    /// A line to where one leads that does what another does.
    init(_ line: Line, likeIn other: Line) {
        self = other
        (way, reachesAll, prefixes) = (line.way, line.reachesAll, line.prefixes)
        (lastActive, awakeAt, messages) = (line.lastActive, line.awakeAt, line.messages)
    }

    package init(_ way: Way, reachesAll: Bool = false, prefixes: [IPPrefix] = []) {
        self.way = way
        self.reachesAll = reachesAll
        self.prefixes = prefixes
    }
}
