package import EventLoop
package import Reachability

extension ConnectivityReducer {
    /// Something that happened.
    package enum Input: Hashable, Sendable, Codable {
        /// The path as it is now. The first one is the start.
        case path(PathUpdate)
        /// A probe that was wanted has ended.
        case ended(Probe.ID, ProbeResult)
        /// What came of something else that was wanted, or of a probe that has not ended.
        case report(ProbeReport)
        /// The time of ``Output/wake`` has come.
        case timer
        /// The caller wants everything probed now.
        case request
        /// The network of an interface, by its index, advertises its portal's API at this address; nil for not any more.
        case portalAdvertised(UInt32, api: String?)
        /// A question to a portal's API that was wanted has ended.
        case portalAnswered(PortalAnswer)
        /// What the host's own connections say of each uplink; empty where they say nothing.
        case traffic([TrafficEvidence])
        /// The caller wants to watch something else.
        case configuration(ConnectivityConfiguration)
    }

    /// What follows from an input.
    package struct Output: Sendable {
        /// What to publish: never more than one event an input.
        package var event: Event? { told?.event }
        /// Probes to start.
        package var probes: [Probe] = []
        /// Hosts to be asked for a word.
        package var touches: [Touch] = []
        /// Names to look up.
        package var names: [NameQuestion] = []
        /// Which of all that are of no interest any more.
        package var cancelled: [Probe.ID] = []
        /// Portals' APIs to ask.
        package var portalQuestions: [PortalQuestion] = []
        /// The results of targets that this input has brought.
        package var results: [ProbeResult] = []
        /// How many probes were due and are put off, because traffic shows what they would.
        package var putOff = 0
        /// The event, as it is handed on.
        package internal(set) var told: SharedEvent? = nil
        /// Whether it told in one word what has yet to be written down for each target (``ConnectivityReducer/catchUp()``).
        package internal(set) var isUnsettled = false
        /// When to come back with ``Input/timer``; nil where only another input can bring something to do.
        package var wake: MonotonicTime? = nil

        package init() {}

        /// What is to be asked, and what was found.
        init(_ lanes: consuming LaneOutput) {
            (probes, touches, names) = (lanes.probes, lanes.touches, lanes.names)
            (cancelled, results, putOff) = (lanes.cancelled, lanes.results, lanes.putOff)
        }
    }
}
