import DequeModule

/// Requests that wait because as many run as may: the first to come is the first to go.
struct WaitingLine {
    typealias Continuation = CheckedContinuation<Result<Response, RequestError>, Never>

    /// A request that is to be sent, and the continuation that waits for its answer.
    struct Place {
        let id: Transfer.ID
        let exchange: Exchange
        let continuation: Continuation
    }

    private var places: [Transfer.ID: Place] = [:]
    /// Transfers in the order in which they came; one that was given up since has no place any more.
    private var order: Deque<Transfer.ID> = []

    var isEmpty: Bool { places.isEmpty }

    mutating func join(_ place: Place) {
        places[place.id] = place
        order.append(place.id)
    }

    mutating func next() -> Place? {
        while let id = order.popFirst() {
            if let place = places.removeValue(forKey: id) { return place }
        }
        return nil
    }

    /// Takes out one that gives up; nil where it does not wait here.
    mutating func leave(_ id: Transfer.ID) -> Place? {
        let place = places.removeValue(forKey: id)
        // Those that have left are dropped together, so that each costs little.
        if order.count > 2 * places.count + 64 { order.removeAll { places[$0] == nil } }
        if places.isEmpty { order = [] }
        return place
    }

    mutating func leaveAll() -> [Place] {
        defer { (places, order) = ([:], []) }
        return order.compactMap { places[$0] }
    }
}
