import Connectivity
import History
import Netwatch

/// The history of a service, and what is said of it in the log and the metrics.
enum HistoryKeeping {
    /// Begins to keep it; nil where none is to be kept, or none can be, which is told.
    static func begin(_ settings: ServiceConfiguration.HistorySettings, _ monitor: ConnectivityMonitor) -> History? {
        guard let path = HistoryPlace.path(settings) else { return nil }
        let limits = History.Limits(path: path, days: settings.days, size: settings.megabytes << 20)
        do {
            Gauge("netwatch_history_writable").record(1)
            return try History(
                limits, whenUnusable: .wait, statuses: { HistoryNote(monitor.current) }, tell: tell)
        } catch {
            StandardStreams.tell("no history is kept: \(error)")
            Gauge("netwatch_history_writable").record(0)
            return nil
        }
    }

    @Sendable private static func tell(_ report: HistoryReport) {
        switch report {
        case .size(let size): Gauge("netwatch_history_size_bytes").record(size)
        case .setAside(let error, let other):
            Counter("netwatch_history_set_aside_total").increment()
            say("\(error); it lies at \(other) now, and another is begun")
        case .gone(let error):
            Counter("netwatch_history_set_aside_total").increment()
            say("\(error); another is begun")
        case .waiting(let path):
            Gauge("netwatch_history_writable").record(0)
            say("\(path): another netwatch keeps its history there; it is taken over once that has ended")
        case .failing(let error):
            Gauge("netwatch_history_writable").record(0)
            say("it cannot be written: \(error); all else goes on")
        case .recovered(let lost):
            Gauge("netwatch_history_writable").record(1)
            Counter("netwatch_history_lost_events_total").increment(by: lost)
            let gap = lost == 1 ? "an event is" : "\(lost) events are"
            say(lost == 0 ? "it can be written again" : "it is written again; \(gap) missing in it")
        case .passedOver(let reader, let place):
            say("it came late: what earlier runs had for \(reader) after \(place) is not told any more")
        }
    }

    private static func say(_ words: String) {
        StandardStreams.tell("history: \(words)")
    }
}
