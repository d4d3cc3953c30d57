package import Reachability

/// What the monitor has heard from the kernel and asked it, and whether anything is missing.
package struct NetlinkReport: Hashable, Sendable {
    package var statistics: MonitorStatistics
    package var listening: ListeningState

    package init(_ statistics: MonitorStatistics?, _ listening: ListeningState) {
        self.statistics = statistics ?? MonitorStatistics()
        self.listening = listening
    }

    package var families: [MetricFamily] { [messages, resyncs] + counters + gauges }

    private var messages: MetricFamily {
        let counts = statistics.messages
        let subjects = [
            ("link", counts.link), ("address", counts.address), ("route", counts.route), ("rule", counts.rule),
            ("nexthop", counts.nexthop), ("netconf", counts.netconf), ("user-option", counts.userOption),
        ]
        return MetricFamily(
            "netwatch_netlink_messages_total", .counter, help: "The kernel's messages, by what they were about.",
            subjects.map { .init(Double($0.1), [.init("subject", $0.0)]) })
    }

    private var resyncs: MetricFamily {
        MetricFamily(
            "netwatch_netlink_resyncs_total", .counter, help: "How often the state was read anew, by why.",
            ResyncCause.allCases.map { .init(Double(statistics.resyncs[$0] ?? 0), [.init("cause", $0.rawValue)]) })
    }

    private var counters: [MetricFamily] {
        [
            counter("irrelevant_messages", "Messages that could not have changed a path.", \.irrelevantMessages),
            counter("overruns", "How often the receive buffer was full and messages were lost.", \.overruns),
            counter("dropped_messages", "Messages lost so, by the kernel's account.", \.droppedMessages),
            counter("truncated_messages", "Messages longer than the buffer they are read into.", \.truncatedMessages),
            counter("malformed_messages", "Messages that could not be parsed.", \.malformedMessages),
            counter("foreign_messages", "Messages that were not the kernel's.", \.foreignMessages),
            counter("dump_restarts", "Dumps repeated because changes interrupted them.", \.interruptedDumps),
            counter("lookups", "Questions to the kernel about routes.", \.lookups),
            counter("evaluations", "How often the path was derived.", \.evaluations),
            counter("failed_requests", "Requests to the kernel that failed.", \.failures),
        ]
    }

    private func counter(
        _ name: String, _ help: String, _ count: KeyPath<MonitorStatistics, UInt64>
    ) -> MetricFamily {
        MetricFamily(
            "netwatch_netlink_\(name)_total", .counter, help: help, [.init(Double(statistics[keyPath: count]))])
    }

    private var gauges: [MetricFamily] {
        [
            MetricFamily(
                "netwatch_netlink_resync_pending", .gauge, help: "1 while the state is to be read anew.",
                [.init(listening.resync == nil ? 0 : 1)]),
            MetricFamily(
                "netwatch_netlink_route_filter_attached", .gauge,
                help: "1 where the kernel keeps news of routes back that cannot matter.",
                [.init(listening.isComplete && listening.filterFailure == nil ? 1 : 0)]),
            MetricFamily(
                "netwatch_netlink_receive_buffer_bytes", .gauge,
                help: "How much news may wait before some is lost, in the kernel's account.",
                [.init(Double(listening.receiveBufferSize))]),
        ]
    }
}
