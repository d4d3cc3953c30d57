#if Service
import Connectivity
import History

/// Keeps what passes, and hands the events on.
struct HistorySink: EventSink {
    let history: History
    let next: any EventSink

    func accept(_ event: Event) throws -> EventRemainder? {
        guard event.kind == .result else {
            history.put(HistoryNote(event))
            return try next.accept(event)
        }
        for result in event.probes {
            if let sum = ProbeSum(result) { history.put(sum, of: result.target, at: event.timeNanoseconds) }
        }
        return nil
    }

    func finish() async {
        await next.finish()
    }
}
#endif
