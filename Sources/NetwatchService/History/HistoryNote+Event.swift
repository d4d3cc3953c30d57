import Connectivity
import History
import Netwatch
import Reachability

extension HistoryNote {
    /// An event as it is kept.
    ///
    /// - Parameter origin: Whose it is; nil where its line is not kept.
    init(_ event: Event, of origin: EventOrigin? = nil) {
        self.init(
            stamp: .at(wall: event.timeNanoseconds, monotonic: event.monotonic), seq: event.seq,
            isTransition: Self.isLookedFor(event.kind), isSnapshot: event.kind == .snapshot,
            connectivity: PastStatus(connectivityOf: event),
            targets: event.targets.map { ($0.target, PastStatus($0.status)) },
            others: event.othersUnknown ? .unknown : event.othersUp ? .up : nil, line: { event.jsonLine(of: origin) })
    }

    /// Whether people look for it in the past: a path that changes without consequences they do not.
    private static func isLookedFor(_ kind: Event.Kind) -> Bool {
        switch kind {
        case .transition, .target, .uplink, .portal: true
        case .snapshot, .path, .result: false
        }
    }
}

extension PastStatus {
    fileprivate init(_ status: TargetHealth.Status) {
        self =
            switch status {
            case .up: .up
            case .down: .down
            case .unknown: .unknown
            }
    }

    /// Up is all that is expected: where nothing is probed, a path.
    fileprivate init(connectivityOf event: Event) {
        switch event.connectivity {
        case .full: self = .up
        case .none, .local, .portal, .limited: self = .down
        case .unknown:
            let isKnown = !VerdictWords.isProbed(event) && event.reachability != .unknown
            self = !isKnown ? .unknown : event.reachability.isReachable ? .up : .down
        }
    }
}

extension ProbeSum {
    /// One probe; nil where nothing was asked.
    init?(_ result: ProbeResult) {
        guard result.outcome != .skipped, result.outcome != .cancelled else { return nil }
        self.init()
        probes = 1
        failures = result.outcome == .success ? 0 : 1
        guard failures == 0 else { return }
        duration = Int64(clamping: result.durationNanoseconds / 1000)
        longest = duration
        for (phase, nanoseconds) in result.phaseNanoseconds {
            let microseconds = Int64(clamping: nanoseconds / 1000)
            switch phase {
            case .resolve: phases.resolve = microseconds
            case .connect: phases.connect = microseconds
            case .tls: phases.tls = microseconds
            case .processing: phases.processing = microseconds
            case .transfer: phases.transfer = microseconds
            }
        }
    }
}
