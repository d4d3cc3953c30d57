package import NetworkAddress

/// What the model has to know of the path: which ways there are and how they lie over one another.
package struct Network: Hashable, Sendable, Codable {
    /// Whether there is any path at all.
    package var isReachable: Bool
    /// The ways that there are. One that is missing here and was there before is gone.
    package var ways: [Course]
    /// The name servers in the order in which they are asked; empty where the host finds names otherwise.
    package var nameServers: [IPAddress]
    /// Whether each server is asked by itself. Else a name is looked up as this host does, which knows more than their list:
    /// domains that have servers of their own, files, a manager.
    package var asksEachServer = true
    /// The targets on a link of this host's own, which are asked even where there is no way out.
    package var near: Set<Int> = []

    /// A way and its place among the others.
    package struct Course: Hashable, Sendable, Codable {
        package var way: Way
        /// Whether traffic to anywhere leaves by it, so that the built-in references can be asked over it.
        package var reachesAll: Bool
        /// The interfaces that a tunnel's packets leave by in the end; empty for what is no tunnel.
        package var below: [String]
        /// Whether each probe costs: data by volume, or a radio that has to wake.
        package var isMetered: Bool
        /// How much longer the intervals are of what is well over it.
        package var stretch = 1

        package init(_ way: Way, reachesAll: Bool = false, below: [String] = [], isMetered: Bool = false) {
            self.way = way
            self.reachesAll = reachesAll
            self.below = below
            self.isMetered = isMetered
        }

        /// Whether another one's packets leave by it. Under a tunnel of one family the other goes its own way.
        func lies(under other: Course) -> Bool {
            other.way.family == way.family && other.below.contains(way.interface)
        }

        /// The course of a way that leads through a translator at the end of this one.
        func throughTranslator(_ way: Way) -> Course {
            var course = self
            (course.way, course.reachesAll) = (way, false)
            return course
        }
    }

    /// The ways that traffic to anywhere leaves by: not what lies under a tunnel to everything.
    var outermost: [Way] {
        ways.filter { course in
            course.reachesAll && !ways.contains { $0.reachesAll && course.lies(under: $0) }
        }.map(\.way)
    }

    /// The course of a way that only the kernel's answers have told of: a gateway within a tunnel has below it what the tunnel has.
    func particular(_ way: Way) -> Course {
        let own = ways.first { $0.way.interface == way.interface && $0.way.family == way.family }
        return Course(way, below: own?.below ?? [])
    }

    /// An interface has another name.
    mutating func rename(_ old: String, to new: String) {
        for index in ways.indices {
            if ways[index].way.interface == old { ways[index].way.interface = new }
            ways[index].below = ways[index].below.map { $0 == old ? new : $0 }
        }
    }

    package init(isReachable: Bool = true, ways: [Course] = [], nameServers: [IPAddress] = []) {
        self.isReachable = isReachable
        self.ways = ways
        self.nameServers = nameServers
    }
}
