package import Connectivity
import EventLoop
package import History
import Synchronization

/// The events that an exporter has still to send, of this run and of earlier ones, as the service's history holds them. Only the
/// latest are in memory too, so that one that keeps up need not wait for the disk.
///
/// Up to where all has arrived is in the history's file, under the exporter's name: the next run goes on from there. One that has
/// no such mark begins with this run.
package final class HistoryBacklog: EventBacklog {
    /// So many of the latest events are in memory, and so many targets and results in them.
    private static let (mostInMemory, heaviest) = (256, 8192)
    /// So many are read at a time, and not many more bytes.
    private static let (pageSize, pageBytes) = (64, 256 << 10)
    /// What cannot be read for so long is told as a gap.
    private static let patience = Duration.seconds(10)
    /// After so long without a look at it a failure is a new one.
    private static let lull = Duration.seconds(5)

    private struct State {
        var delivered: EventCursor
        /// The number of the last event of this run.
        var last: UInt64 = 0
    }

    /// What was read last. Only the exporter's thread waits for it.
    private struct File {
        var page: HistoryPage?
        /// How many events of earlier runs were not delivered when that was read.
        var earlier = 0
        /// Since when it cannot be read, and when that was found last.
        var unreadable: (since: MonotonicTime, last: MonotonicTime)?
    }

    private let history: History
    private let name: String
    private let run: UInt64
    private let memory: MemoryBacklog
    private let state: Mutex<State>
    private let file = Mutex(File())

    /// - Parameter name: The exporter's, which no other has: `mqtt`. It stays the same from run to run.
    package init(_ history: History, name: String) {
        self.history = history
        self.name = name
        run = history.run
        memory = MemoryBacklog(run: history.run, most: Self.mostInMemory, heaviest: Self.heaviest)
        let begin = EventCursor(run: history.run, seq: 0)
        state = Mutex(State(delivered: history.put(begin, of: name) { $0 == nil } ?? begin))
    }

    package func append(_ event: Event) {
        memory.append(event)
        state.withLock { $0.last = event.seq }
    }

    package func delivered(upTo place: EventCursor) {
        let former = state.withLock { state -> EventCursor? in
            guard state.delivered < place else { return nil }
            defer { state.delivered = place }
            return state.delivered
        }
        guard let former else { return }
        // Before the first event, whatever its number is, there is nothing to be told.
        if place.run == run, place.seq > 0 { memory.delivered(upTo: place) }
        let mark = history.put(place, of: name)
        // A history came while the first event of this run was on its way.
        if former == EventCursor(run: run, seq: 0), let mark, mark.run < run { history.passOver(name, after: mark) }
    }

    package var count: Int {
        let (delivered, last) = state.withLock { ($0.delivered, $0.last) }
        guard delivered.run != run else { return Int(clamping: last - min(delivered.seq, last)) }
        return Int(clamping: last) + file.withLock { $0.earlier }
    }

    package func next(after place: EventCursor?) -> BacklogEntry? {
        let begin = EventCursor(run: run, seq: 0)
        if place == nil { goBack() }
        let (delivered, last) = state.withLock { ($0.delivered, $0.last) }
        let place = place ?? delivered
        var limit = EventCursor(run: run, seq: last)
        if place.run == run {
            switch memory.next(after: place) {
            case .gap(_, let end): limit = end
            case let entry:
                file.withLock { ($0.page, $0.unreadable) = (nil, nil) }
                return entry
            }
        } else {
            switch memory.next(after: begin) {
            case .gap(_, let end): limit = end
            case let first?: limit = EventCursor(run: run, seq: first.place.seq - 1)
            case nil: break
            }
        }
        return file.withLock { find(after: place, upTo: limit, &$0) }
    }

    /// Goes on where an earlier run was, as long as nothing of this one was delivered: a history that is there only
    /// after the start may know that.
    private func goBack() {
        state.withLock { state in
            guard state.delivered == EventCursor(run: run, seq: 0), let mark = history.mark(of: name) else { return }
            state.delivered = mark
        }
    }

    // MARK: The file

    /// What follows a place and is not known to be in memory.
    ///
    /// - Parameter limit: Up to which event there are some that are not.
    private func find(after place: EventCursor, upTo limit: EventCursor, _ file: inout File) -> BacklogEntry? {
        if let entry = file.page?.entry(after: place, upTo: limit) { return entry }
        let settled = history.settled
        let asked = MonotonicTime.now
        do {
            let delivered = state.withLock { $0.delivered }
            let page = try history.readHere { try HistoryPage($0, after: place, delivered: delivered, before: run) }
            (file.page, file.earlier, file.unreadable) = (page, page.earlier, nil)
        } catch {
            // Without a connection, for example, nothing was asked meanwhile.
            let known = file.unreadable.flatMap { $0.last.duration(to: asked) < Self.lull ? $0.since : nil }
            let since = known ?? asked
            file.unreadable = (since: since, last: MonotonicTime.now)
            return since.duration(to: .now) < Self.patience ? nil : gap(after: place, upTo: limit)
        }
        if let entry = file.page?.entry(after: place, upTo: limit) { return entry }
        guard place.run != run else { return missing(place, limit, settled) }
        // Of earlier runs there is nothing more, and of this one nothing is written yet.
        switch memory.next(after: EventCursor(run: run, seq: 0)) {
        case .gap(_, let end): return missing(place, end, settled)
        case let first?: return file.page?.lost(after: place, before: first.place, isSnapshot: true) ?? first
        case nil: return nil
        }
    }

    /// A gap where what is missing never will be there.
    ///
    /// - Parameter settled: Up to where the file held all when it was read.
    private func missing(_ place: EventCursor, _ limit: EventCursor, _ settled: UInt64) -> BacklogEntry? {
        guard limit.seq > 0 else { return nil }
        if settled >= limit.seq { return gap(after: place, upTo: limit) }
        history.hasten()
        return nil
    }

    private func gap(after place: EventCursor, upTo limit: EventCursor) -> BacklogEntry? {
        place < limit ? .gap(after: place, upTo: limit) : nil
    }
}
