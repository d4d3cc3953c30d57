internal import Broadcast
internal import Connectivity
internal import Synchronization

/// Calls one callback with one event after the other, where its owner wants it called.
final class CallbackDelivery: Sendable {
    let mailbox: Mailbox<SharedEvent>
    private let execution: CallbackExecution
    private let handler: @Sendable (Event) -> Void
    /// Whether a call is under way: two at once could swap events.
    private let isCalling = Mutex(false)
    private let isEnded = Mutex(false)

    init(mailbox: Mailbox<SharedEvent>, execution: CallbackExecution, handler: @escaping @Sendable (Event) -> Void) {
        self.mailbox = mailbox
        self.execution = execution
        self.handler = handler
    }

    /// Hands out an event. Called on the monitor's loop.
    func deliver(_ event: SharedEvent) {
        mailbox.put(event)
        drain()
    }

    /// Has what is in the mailbox handed out. Called on the monitor's loop.
    func drain() {
        switch execution {
        case .loop: callAll()
        case .executor(let executor): Task(executorPreference: executor) { self.callAll() }
        case .custom(let run): run { self.callAll() }
        }
    }

    /// Forgets what was not told: a callback on the loop of a monitor that stops is called no more.
    func forget() {
        guard case .loop = execution else { return }
        while mailbox.take() != nil {}
    }

    func end() {
        isEnded.withLock { $0 = true }
    }

    private func callAll() {
        repeat {
            guard begin() else { return }
            while let event = mailbox.take(), !isEnded.withLock({ $0 }) { handler(event.event) }
            isCalling.withLock { $0 = false }
            // An event that came while the last caller was leaving is not lost: look once more.
        } while !mailbox.isEmpty
    }

    private func begin() -> Bool {
        isCalling.withLock { !exchange(&$0, with: true) }
    }
}
