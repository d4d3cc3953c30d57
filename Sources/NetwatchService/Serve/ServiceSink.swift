#if Service
import Connectivity
import EventLoop
import Netwatch
import Reachability

/// Takes the events of a service: a line each for the log, and the state for the service's manager. It never waits: where
/// the log takes no more, lines are left out and counted.
final class ServiceSink: EventSink {
    private let log: LineOutput?
    private let isJSON: Bool
    private let origin: EventOrigin
    private let manager: ServiceManager?
    private let loop: EventLoop
    /// Safe because ``EventPump`` calls a sink on the loop's thread only, one event after the other.
    nonisolated(unsafe) private var state = State()

    private struct State {
        /// What the log has not taken of the last line.
        var rest: [UInt8] = []
        var skipped = 0
        var isReady = false
    }

    /// - Parameters:
    ///   - log: Where lines go; nil for nowhere.
    ///   - origin: Whose events they are.
    init(log: LineOutput?, isJSON: Bool, origin: EventOrigin, manager: ServiceManager?, loop: EventLoop) {
        self.log = log
        self.origin = origin
        self.isJSON = isJSON
        self.manager = manager
        self.loop = loop
    }

    func accept(_ event: Event) -> EventRemainder? {
        if event.reachability != .unknown {
            if state.isReady { manager?.tell(Self.status(event)) } else { manager?.ready(Self.status(event)) }
            state.isReady = true
        }
        if let log { write(line(event), to: log) }
        return nil
    }

    private func line(_ event: Event) -> [UInt8] {
        isJSON ? event.jsonLine(of: origin) : Array((PlainLine.text(of: event) + "\n").utf8)
    }

    private func write(_ line: [UInt8], to log: LineOutput) {
        guard flush(log) else {
            state.skipped += 1
            return
        }
        state.rest = line
        _ = flush(log)
    }

    /// Writes what is left, and how many lines are missing after it. Whether there is room for a line.
    private func flush(_ log: LineOutput) -> Bool {
        if state.rest.isEmpty, state.skipped > 0 {
            state.rest = Array("netwatch: \(state.skipped) events are not in this log, which took no more\n".utf8)
            state.skipped = 0
        }
        let rest = state.rest
        // A log that is gone for good ends no service.
        state.rest = log.assumeIsolated { (try? $0.writeAtOnce(rest)) ?? [] }
        return state.rest.isEmpty
    }

    static func status(_ event: Event) -> String {
        let words =
            Verdict.isProbed(event) ? "\(event.connectivity.rawValue), \(Verdict.way(event))" : Verdict.way(event)
        return words
    }
}
#endif
