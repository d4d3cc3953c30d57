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
    func put(_ place: EventCursor) {
        // What a later run has noted, by a clock that was ahead, counts for nothing.
        if let known = self.place, known.run <= history.run, place <= known { return }
        history.put(place, of: name)
    }
}
