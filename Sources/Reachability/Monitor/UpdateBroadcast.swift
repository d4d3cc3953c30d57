public import Broadcast
import Synchronization

/// The border between the monitor and its readers on other threads: the current path, and each reader's updates.
final class UpdateBroadcast: Sendable {
    /// Of updates that a reader has not taken.
    private static let capacity = 16

    private struct State {
        var latest: Shared<PathUpdate>?
        var readers = Readers<PathUpdate>()
        var isClosed = false
    }

    private let state = Mutex(State())

    deinit {
        finish()
    }

    var currentPath: Path {
        state.withLock { $0.latest?.value.path } ?? .unknown
    }

    func subscribe() -> Mailbox<PathUpdate> {
        let mailbox = Mailbox<PathUpdate>(capacity: Self.capacity)
        state.withLock { state in
            state.readers.add(mailbox)
            if let latest = state.latest { mailbox.put(latest.value.asFirst) }
            if state.isClosed { mailbox.finish() }
        }
        return mailbox
    }

    /// - Returns: The update before.
    func send(_ update: PathUpdate) -> Shared<PathUpdate>? {
        let (last, mailboxes) = state.withLock { state in
            defer { state.latest = Shared(update) }
            return (state.latest, state.readers.mailboxes)
        }
        for mailbox in mailboxes { mailbox.put(update) }
        return last
    }

    /// Ends all sequences, those to come too: there will be no further start.
    func close() {
        state.withLock { $0.isClosed = true }
        finish()
    }

    /// Ends all sequences. The path stays the one last known until the next start.
    func finish() {
        for mailbox in state.withLock({ $0.readers.removeAll() }) { mailbox.finish() }
    }
}

extension PathUpdate {
    /// The update as a reader sees it that has seen none before.
    var asFirst: PathUpdate {
        var first = self
        first.previous = .unknown
        first.skipped = 0
        return first
    }
}

extension PathUpdate: Broadcastable {
    /// One that leads from the oldest path to the newest and says how many were skipped.
    @usableFromInline
    package static func standing(for updates: [PathUpdate]) -> PathUpdate {
        var last = updates[updates.count - 1]
        last.previous = updates[0].previous
        last.isResync = updates.contains(where: \.isResync)
        last.skipped = updates.reduce(0) { $0 + $1.skipped + 1 } - 1
        return last
    }

    @usableFromInline
    package var number: UInt64? { nil }
}
