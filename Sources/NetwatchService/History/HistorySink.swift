import Connectivity
import History
import Netwatch

/// Keeps what passes, and hands the events on.
struct HistorySink: EventSink {
    let history: History
    let origin: EventOrigin
    let next: any EventSink

    func accept(_ event: Event) throws -> EventRemainder? {
        guard event.kind == .result else {
            // First what is awaited, then what is kept.
            let rest = try next.accept(event)
            history.put(HistoryNote(event, of: origin))
            return rest
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
