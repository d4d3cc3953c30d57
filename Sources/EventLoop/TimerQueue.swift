import HeapModule

/// What a loop is to call at which time.
///
/// The heap keeps what was put off or ended until its time comes: taking it out would cost a search.
struct TimerQueue {
    /// A closure alone would be wrapped anew by each generic function that hands it on.
    struct Handler: Sendable {
        let call: @Sendable () -> Void
    }

    private struct Entry {
        let handler: Handler
        /// When to call it; nil for an alarm that is not set.
        var deadline: MonotonicTime?
        /// When the heap has it come up.
        var queued: MonotonicTime?
        /// Whether it stays when it has been called.
        let isAlarm: Bool
    }

    private var entries: [UInt64: Entry] = [:]
    private var heap = Heap<LoopTimer>()
    /// Fewer dead entries than this are not worth a new heap.
    private static let fewest = 64

    mutating func schedule(_ id: UInt64, at deadline: MonotonicTime, _ handler: Handler) -> LoopTimer {
        entries[id] = Entry(handler: handler, deadline: deadline, queued: deadline, isAlarm: false)
        let timer = LoopTimer(id: id, deadline: deadline)
        heap.insert(timer)
        return timer
    }

    mutating func addAlarm(_ id: UInt64, _ handler: Handler) {
        entries[id] = Entry(handler: handler, deadline: nil, queued: nil, isAlarm: true)
    }

    mutating func setAlarm(_ id: UInt64, at deadline: MonotonicTime?) {
        guard let index = entries.index(forKey: id) else { return }
        entries.values[index].deadline = deadline
        // What comes up too early is put off then.
        guard let deadline, entries.values[index].queued.map({ deadline < $0 }) ?? true else { return }
        entries.values[index].queued = deadline
        heap.insert(LoopTimer(id: id, deadline: deadline))
        tidy()
    }

    /// Ends a timer or an alarm.
    ///
    /// - Returns: Its handler, to be let go of outside of any lock: what it holds may end timers and watches in turn.
    mutating func remove(_ id: UInt64) -> Handler? {
        defer { tidy() }
        return entries.removeValue(forKey: id)?.handler
    }

    /// Makes another heap of one that is mostly dead entries.
    private mutating func tidy() {
        guard heap.count > Self.fewest, heap.count > 2 * entries.count else { return }
        heap = Heap(heap.unordered.filter { entries[$0.id]?.queued == $0.deadline })
    }

    mutating func removeAll() -> [Handler] {
        defer { self = TimerQueue() }
        return entries.values.map(\.handler)
    }

    /// When the next is to be called; nil for never.
    mutating func nextDeadline() -> MonotonicTime? {
        while let next = heap.min {
            if let entry = entries[next.id], entry.queued == next.deadline, entry.deadline == next.deadline {
                return next.deadline
            }
            dropFirst()
        }
        return nil
    }

    /// The next that is due, which is then due no more; nil where none is.
    mutating func nextDue(at now: MonotonicTime) -> Handler? {
        guard let deadline = nextDeadline(), deadline <= now, let id = heap.popMin()?.id,
            let index = entries.index(forKey: id)
        else { return nil }
        let entry = entries.values[index]
        if entry.isAlarm {
            entries.values[index].deadline = nil
            entries.values[index].queued = nil
        } else {
            entries.remove(at: index)
        }
        return entry.handler
    }

    /// Takes out what the heap has first, and puts it back where it is an alarm that was put off.
    private mutating func dropFirst() {
        guard let first = heap.popMin(), let index = entries.index(forKey: first.id),
            entries.values[index].queued == first.deadline
        else { return }
        let deadline = entries.values[index].deadline
        entries.values[index].queued = deadline
        if let deadline { heap.insert(LoopTimer(id: first.id, deadline: deadline)) }
    }
}
