internal import DequeModule

/// Which of the downloads that wait is next.
public enum DownloadOrder: Hashable, Sendable {
    case firstInFirstOut
    case lastInFirstOut
}

/// Which caller gets which transfer, and when: at most so many at once, identical ones only once. It starts and ends nothing
/// itself: it says what is to be done.
public struct DownloadQueue<Key: Hashable & Sendable>: Sendable {
    /// A caller that waits for a transfer. Several may wait for the same.
    public struct Receipt: Hashable, Sendable {
        public let key: Key
        let number: UInt64
    }

    /// What is to be done after a change.
    public struct Actions: Hashable, Sendable {
        /// Transfers to begin, in this order.
        public var start: [Key] = []
        /// Transfers to end, since no caller waits for them any more.
        public var cancel: [Key] = []

        public init(start: [Key] = [], cancel: [Key] = []) {
            self.start = start
            self.cancel = cancel
        }
    }

    public let maximumActive: Int
    public let order: DownloadOrder
    /// The transfers that were begun and not ended.
    public private(set) var active: Set<Key> = []
    private var waiting: Deque<Key> = []
    private var receivers: [Key: [Receipt]] = [:]
    private var nextNumber: UInt64 = 0

    /// AFNetworking's defaults: four at once, first in, first out.
    public init(maximumActive: Int = 4, order: DownloadOrder = .firstInFirstOut) {
        self.maximumActive = max(1, maximumActive)
        self.order = order
    }

    /// The transfers that wait for their turn.
    public var waitingCount: Int { waiting.count }

    /// Whether a caller waits for a transfer.
    public func contains(_ key: Key) -> Bool { receivers[key] != nil }

    /// A caller wants a transfer. One that is under way or waits is shared.
    public mutating func add(_ key: Key) -> (receipt: Receipt, actions: Actions) {
        nextNumber += 1
        let receipt = Receipt(key: key, number: nextNumber)
        receivers[key, default: []].append(receipt)
        guard receivers[key]?.count == 1, !active.contains(key) else { return (receipt, Actions()) }
        waiting.append(key)
        return (receipt, Actions(start: startNext()))
    }

    /// A caller wants it no more. The others of the same transfer still get it; nil where the receipt counts no more.
    public mutating func cancel(_ receipt: Receipt) -> Actions? {
        guard let index = receivers[receipt.key]?.firstIndex(of: receipt) else { return nil }
        receivers[receipt.key]?.remove(at: index)
        guard receivers[receipt.key]?.isEmpty == true else { return Actions() }
        receivers[receipt.key] = nil
        if let index = waiting.firstIndex(of: receipt.key) {
            // It had no place among the active ones, so it gives none free.
            waiting.remove(at: index)
            return Actions()
        }
        active.remove(receipt.key)
        return Actions(start: startNext(), cancel: [receipt.key])
    }

    /// A transfer has ended: the callers that waited for it, in the order they came, and what is next.
    public mutating func complete(_ key: Key) -> (receivers: [Receipt], actions: Actions) {
        guard active.remove(key) != nil else { return ([], Actions()) }
        return (receivers.removeValue(forKey: key) ?? [], Actions(start: startNext()))
    }

    private mutating func startNext() -> [Key] {
        var started: [Key] = []
        while active.count < maximumActive, let key = takeNext() {
            active.insert(key)
            started.append(key)
        }
        return started
    }

    private mutating func takeNext() -> Key? {
        order == .firstInFirstOut ? waiting.popFirst() : waiting.popLast()
    }
}
