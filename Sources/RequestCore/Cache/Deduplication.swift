public import RequestEngine
internal import Synchronization

/// Sends one request for all that are alike and under way at the same time, and gives its answer to each.
///
/// Alike are requests that read (`GET`, `HEAD`) with the same URL, header fields and options, all of them, as they are sent:
/// other interceptors have done their part before, wherever this one stands in the list. The transfer goes on as long as
/// one of them waits. Streams and downloads are passed.
public final class Deduplication: Interceptor {
    private struct Flight {
        let number: UInt64
        let answer: PendingValue<Result<Response, RequestError>>
        let task: Task<Void, Never>
        var passengers = 1
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var nextNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var stage: InterceptorStage { .sharing }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        guard let key = Key(exchange) else { return try await next(exchange) }
        let (answer, number) = join(key) { answer, number in
            Task {
                do throws(RequestError) {
                    self.land(key, number, .success(try await next(exchange)), answer)
                } catch {
                    self.land(key, number, .failure(error), answer)
                }
            }
        }
        guard let result = await answer.wait() else {
            leave(key, number)
            throw RequestError(.cancelled)
        }
        return try result.get()
    }

    /// How many transfers are under way.
    public var count: Int { state.withLock { $0.flights.count } }

    private func join(
        _ key: Key, _ start: (PendingValue<Result<Response, RequestError>>, UInt64) -> Task<Void, Never>
    ) -> (PendingValue<Result<Response, RequestError>>, UInt64) {
        state.withLock { state in
            if let flight = state.flights[key] {
                state.flights[key]?.passengers += 1
                return (flight.answer, flight.number)
            }
            state.nextNumber += 1
            let number = state.nextNumber
            let answer = PendingValue<Result<Response, RequestError>>()
            state.flights[key] = Flight(number: number, answer: answer, task: start(answer, number))
            return (answer, number)
        }
    }

    private func land(
        _ key: Key, _ number: UInt64, _ result: Result<Response, RequestError>,
        _ answer: PendingValue<Result<Response, RequestError>>
    ) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
        answer.resolve(result)
    }

    /// The last one to leave ends the transfer.
    private func leave(_ key: Key, _ number: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let flight = state.flights[key], flight.number == number else { return nil }
            guard flight.passengers == 1 else {
                state.flights[key]?.passengers -= 1
                return nil
            }
            state.flights[key] = nil
            return flight.task
        }
        task?.cancel()
    }
}

extension Deduplication {
    /// What makes requests alike: all that is asked, of the same session, with as much time left.
    private struct Key: Hashable {
        let session: ObjectIdentifier?
        let request: RequestIdentity
        let timeSpent: Duration

        init?(_ exchange: Exchange) {
            let request = exchange.request
            guard request.method == .get || request.method == .head, exchange.delivery.isMemory,
                !request.interceptors.contains(where: { $0.stage > .sharing }),
                let identity = RequestIdentity(request)
            else { return nil }
            session = exchange.session.map { ObjectIdentifier($0) }
            self.request = identity
            timeSpent = exchange.timeSpent
        }
    }
}
