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

    private var places: Deque<Place> = []

    mutating func join(_ place: Place) {
        places.append(place)
    }

    mutating func next() -> Place? {
        places.popFirst()
    }

    /// Takes out one that gives up; nil where it does not wait here.
    mutating func leave(_ id: Transfer.ID) -> Place? {
        guard let index = places.firstIndex(where: { $0.id == id }) else { return nil }
        return places.remove(at: index)
    }

    mutating func leaveAll() -> [Place] {
        defer { places = [] }
        return Array(places)
    }
}
