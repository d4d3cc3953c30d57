import History
import RequestEngine

/// Up to where a webhook has had the events, in the history's file: it outlives the service, however that ends.
struct DeliveryMark: Sendable {
    private let history: History
    private let name: String

    /// - Parameter address: What the webhook is known by from one run to the next. It may hold a secret, and is kept as a hash.
    init(of address: String, in history: History) {
        self.history = history
        name = "webhook-\(SHA256Digest(of: Array(address.utf8)).description.prefix(16))"
    }

    /// Nil where nothing is known.
    var place: EventCursor? { history.mark(of: name) }

    /// On the disk within a second: what was told since then is told again after a crash.
    ///
    /// It never goes back: a webhook that ends may have its last answer when the one in its place is further.
    ///
    /// - Parameter former: Where the webhook was.
    /// - Returns: False where nothing is noted because it is to go on where an earlier run was: a history that came
    ///   while nothing of this run was delivered knows that.
    @discardableResult
    func put(_ place: EventCursor, after former: EventCursor? = nil) -> Bool {
        let begin = EventCursor(run: history.run, seq: 0)
        func isEarlier(_ known: EventCursor?) -> Bool { former == begin && known.map { $0 < begin } ?? false }
        let known = history.put(place, of: name) { known in
            // What a later run has noted, by a clock that was ahead, counts for nothing.
            guard let known, known.run <= begin.run else { return true }
            return known < place && !isEarlier(known)
        }
        return !isEarlier(known)
    }
}
