import Connectivity
import DequeModule
import NIOCore
import Synchronization

/// The latest events as they are written to readers: each is written out once for all of them, and what waits for those that do
/// not read is in memory once.
final class EventTexts: Sendable {
    /// As many as wait for a reader.
    private static let capacity = 64

    private struct Entry {
        let event: SharedEvent
        let form: EventForm
        let text: ByteBuffer
    }

    private let entries = Mutex<Deque<Entry>>([])

    /// The text of an event, written out the first time it is asked for.
    ///
    /// - Parameter render: Writes it out.
    func text(of event: SharedEvent, in form: EventForm, _ render: (Event) -> ByteBuffer) -> ByteBuffer {
        // What stands for events that were missed is one reader's own.
        guard event.event.skipped == 0 else { return render(event.event) }
        let known = entries.withLock { entries in entries.last { $0.event === event && $0.form == form }?.text }
        if let known { return known }
        let entry = Entry(event: event, form: form, text: render(event.event))
        entries.withLock { entries in
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(entry)
        }
        return entry.text
    }
}
