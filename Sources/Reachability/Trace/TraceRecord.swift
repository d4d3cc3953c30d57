public import EventLoop
package import Netlink
package import NetworkAddress

/// One line of a recording: something that a monitor was told, or asked, and when.
///
/// Replayed in their order by a ``TraceReplayer``, the records of a monitor give the updates that it gave, byte for byte.
public struct TraceRecord: Hashable, Sendable, Codable {
    public let time: MonotonicTime
    package let event: Event

    package enum Event: Hashable, Sendable, Codable {
        /// A monitor with this question begins.
        case start(PathQuestion)
        /// It asks about these places besides from now on, where there is no way out.
        case others([IPAddress]?)
        /// The state was read: at the start, or anew and why.
        case snapshot(Snapshot, ResyncCause?)
        case told(NetlinkNotification)
        /// News of routes is taken from now on where it is about these destinations.
        case watching(Set<IPAddress>)
        /// Messages were lost.
        case lost
        /// All that came with the messages lost has been seen.
        case quiet
        /// A driver, nl80211 or a file said something new.
        case noted(StateChange)
        case surroundings(Surroundings)
        case asleep(Duration)
        /// The path was derived and told, and this is what the kernel answered.
        case concluded([Exchange])
    }

    /// A question to the kernel and its answer.
    package struct Exchange: Hashable, Sendable, Codable {
        package let query: RouteQuery
        package let answer: RouteAnswer
    }

    package init(time: MonotonicTime, event: Event) {
        self.time = time
        self.event = event
    }
}
