internal import FoundationEssentials
internal import NetworkAddress
internal import Synchronization

/// Sends one request for all that are alike and under way at the same time, and gives its answer to each.
///
/// Alike are requests that read (`GET`, `HEAD`) with the same URL, header fields and way out. The transfer goes on as
/// long as one of them waits. Streams and downloads are passed.
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
    /// What makes requests alike.
    private struct Key: Hashable {
        let method: HTTPMethod
        let url: String
        let headers: HTTPHeaders
        let credential: Credential?
        let securityPolicy: SecurityPolicy?
        let interface: InterfaceBinding?
        let sourceAddress: IPAddress?
        let maximumSegmentSize: Int?
        let family: AddressFamily?
        let addresses: [IPAddress]?
        let proxy: ProxyPolicy?
        let cachePolicy: CachePolicy?

        init?(_ exchange: Exchange) {
            let request = exchange.request
            guard request.method == .get || request.method == .head, request.body == nil,
                !request.usesFreshConnection, request.interceptors.isEmpty, request.willStore == nil,
                exchange.delivery.isMemory
            else { return nil }
            method = request.method
            url = request.url.absoluteString
            headers = request.headers
            credential = request.credential
            securityPolicy = request.securityPolicy
            interface = request.interface
            sourceAddress = request.sourceAddress
            maximumSegmentSize = request.maximumSegmentSize
            family = request.family
            addresses = request.addresses
            proxy = request.proxy
            cachePolicy = request.cachePolicy
        }
    }
}
