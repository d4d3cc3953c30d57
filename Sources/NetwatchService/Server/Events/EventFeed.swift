import Connectivity
import History
import Hummingbird
import NIOCore
import Netwatch
import ServiceLifecycle

/// The events for one reader, from where it was before or from the state as it is, until it goes or the server ends.
///
/// A reader that is slower than they come is not waited for: it misses some, and finds the latest state, with their number
/// (``Event/skipped``), where they were.
struct EventFeed: Sendable {
    /// From one sign of life to the next.
    private static let period = TimeAmount.seconds(15)
    /// What a reader that does not read is given to end in order when the server does.
    private static let patience = TimeAmount.seconds(1)
    /// Not much more is written at one time: with what waits in the connection it is what a reader that stops costs.
    private static let batch = 16 * 1024

    /// How far a reader is.
    private struct Position {
        var cursor: EventCursor?
        /// What the interfaces it has chosen were then.
        var roles: Set<EventFilter.Role> = []
    }

    let state: ServedState
    let form: EventForm
    let filter: EventFilter
    /// The id that the reader has seen last; nil where it is new.
    let last: String?
    let channel: any Channel
    let executor: any TaskExecutor

    @concurrent func write(to writer: inout any ResponseBodyWriter) async throws {
        let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let inbox = state.monitor.inbox { ring.yield() }
        let ticks = channel.eventLoop.scheduleRepeatedTask(initialDelay: Self.period, delay: Self.period) { _ in
            ring.yield()
        }
        // A reader that goes makes room for the next at once, and not with the next event.
        channel.closeFuture.whenComplete { _ in ring.finish() }
        let end = Task(executorPreference: executor) { [channel] in
            try await gracefulShutdown()
            ring.finish()
            channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        }
        defer {
            ticks.cancel()
            end.cancel()
        }
        let start = try await begin(inbox, bell, &writer)
        ring.yield()
        try await follow(inbox, bell, after: start, &writer)
    }

    /// Writes what came since the reader's last event, or the state as it is.
    ///
    /// - Returns: Where the reader is then: nowhere, where it ends before anything is known.
    @concurrent private func begin(
        _ inbox: EventInbox, _ bell: AsyncStream<Void>, _ writer: inout any ResponseBodyWriter
    ) async throws -> Position {
        if let preamble = form.preamble { try await writer.write(preamble) }
        guard let snapshot = await inbox.first(bell)?.event else { return Position() }
        let position = Position(cursor: place(of: snapshot), roles: filter.roles(in: snapshot))
        if let cursor = last.flatMap(EventCursor.init), try await resume(after: cursor, upTo: snapshot, &writer) {
            // What the interfaces it has chosen are no longer may have been told by an event that names none of them.
            if !filter.interfaces.isEmpty, cursor != position.cursor { try await writer.write(text(snapshot)) }
            return position
        }
        if let last, let gap = form.gap(after: last) { try await writer.write(gap) }
        try await writer.write(text(snapshot))
        return position
    }

    /// Writes what came since the reader's last event.
    ///
    /// - Returns: Whether all of it was known: by this run's memory, or by the history.
    @concurrent private func resume(
        after cursor: EventCursor, upTo snapshot: Event, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        if cursor.run == state.run, let missed = state.board.events(after: cursor.seq, upTo: snapshot.seq) {
            for event in missed where filter.wants(event) { try await writer.write(text(event)) }
            return true
        }
        guard let history = state.history else { return false }
        let replay = EventReplay(
            history: history, after: cursor, upTo: EventCursor(run: state.run, seq: snapshot.seq))
        guard await replay.isWhole() else { return false }
        var place = cursor
        // The file may be pruned meanwhile: what is missing then is told as a gap.
        while let page = await replay.page(after: place), let end = page.last?.cursor {
            for event in page where filter.wants(event.line) {
                try await writer.write(form.text(event.line, at: event.cursor))
            }
            guard end != replay.last else { return true }
            place = end
        }
        return false
    }

    private func text(_ event: Event) -> ByteBuffer {
        form.text(event.jsonLine(of: state.origin), at: place(of: event))
    }

    private func place(of event: Event) -> EventCursor { EventCursor(run: state.run, seq: event.seq) }

    @concurrent private func follow(
        _ inbox: EventInbox, _ bell: AsyncStream<Void>, after start: Position,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        var lastSent = NIODeadline.now()
        var position = start
        for await _ in bell {
            while let texts = take(from: inbox, &position) {
                try await writer.write(texts)
                lastSent = .now()
                // The writer knows only then whether the connection takes more: thousands of texts would wait for a loop
                // that has much to do, and all other requests behind them.
                try await channel.eventLoop.submit {}.get()
            }
            guard !inbox.isOver, channel.isActive else { return }
            if NIODeadline.now() - lastSent >= Self.period, let sign = form.signOfLife(at: position.cursor) {
                try await writer.write(sign)
                lastSent = .now()
            }
        }
    }

    /// What waits for the reader, as one text, so that one that is behind catches up; nil where nothing does.
    private func take(from inbox: EventInbox, _ position: inout Position) -> ByteBuffer? {
        var texts: ByteBuffer?
        while (texts?.readableBytes ?? 0) < Self.batch, let shared = inbox.take() {
            position.cursor = place(of: shared.event)
            let roles = filter.roles(in: shared.event)
            guard filter.wants(shared.event, after: position.roles) || shared.event.skipped > 0 else {
                // What an interface is no longer is still to be told.
                position.roles.formUnion(roles)
                continue
            }
            position.roles = roles
            var text = state.texts.text(of: shared, in: form, self.text)
            if texts?.writeBuffer(&text) == nil { texts = text }
        }
        return texts
    }
}
