internal import Connectivity
internal import Synchronization

/// One subscriber's events that it has not taken yet: bounded, so that a slow reader costs little and holds up neither the monitor nor another reader.
///
/// When it is full, what is in it becomes one event: the latest state, with the number of events it stands for.
final class Mailbox: Sendable {
    private struct State {
        var events: [SharedEvent] = []
        var lastSequence: UInt64?
        var reader: WaitingReader?
        var isFinished = false
    }

    /// Whether the end of each probe is put in, too.
    let wantsResults: Bool
    private let capacity: Int
    private let arrival: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// - Parameter arrival: Called when there is something to take, or nothing will come any more.
    init(capacity: Int, wantsResults: Bool = false, arrival: (@Sendable () -> Void)? = nil) {
        self.capacity = max(capacity, 1)
        self.wantsResults = wantsResults
        self.arrival = arrival
    }

    /// Tells its owner that events were put in. Not a part of ``put(_:)``, which is called where others must not be.
    func announce() {
        arrival?()
    }

    /// Puts an event in, unless its number was here before. A result has the number of the event before it.
    func put(_ shared: SharedEvent) {
        let reader: WaitingReader? = state.withLock { state in
            let isNew = shared.event.kind == .result || state.lastSequence.map { shared.event.seq > $0 } ?? true
            guard !state.isFinished, isNew else { return nil }
            state.lastSequence = shared.event.seq
            if let reader = state.reader.take() { return reader }
            if state.events.count < capacity {
                state.events.append(shared)
            } else {
                state.events = [SharedEvent(shared.event.standing(for: state.events.map(\.event)))]
            }
            return nil
        }
        reader?.continuation.resume(returning: shared.event)
    }

    /// Takes an event out that is there already.
    func take() -> SharedEvent? {
        state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
    }

    /// Waits for an event; nil once the mailbox is finished or the task is cancelled.
    func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            finish()
        }
    }

    private func wait(_ reader: CheckedContinuation<Event?, Never>) {
        let answer: Event?? = state.withLock { state in
            if !state.events.isEmpty { return state.events.removeFirst().event }
            if state.isFinished { return .some(nil) }
            state.reader = WaitingReader(reader)
            return nil
        }
        if let answer { reader.resume(returning: answer) }
    }

    /// Ends it: what is in it can still be taken.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.continuation.resume(returning: nil)
        arrival?()
    }

    /// Whether nothing is in it and nothing will come any more.
    var isOver: Bool { state.withLock { $0.isFinished && $0.events.isEmpty } }

    var isEmpty: Bool { state.withLock { $0.events.isEmpty } }
}

/// A reader that waits for an event. A reference to it is copied here; a continuation only by Swift's runtime.
private final class WaitingReader: Sendable {
    let continuation: CheckedContinuation<Event?, Never>

    init(_ continuation: CheckedContinuation<Event?, Never>) {
        self.continuation = continuation
    }
}
