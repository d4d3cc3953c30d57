internal import EventLoop
public import RequestEngine
internal import Synchronization

/// Sends one request for all that are alike and under way at the same time, and gives its answer to each.
///
/// Alike are requests that read (`GET`, `HEAD`) with the same URL, header fields and options, all of them, as they are sent:
/// other interceptors have done their part before, wherever this one stands in the list. The transfer goes on as long as
/// one of them waits, and is held still only while all are suspended; ``Timeouts/total`` is each one's own. Streams and
/// downloads are passed. What happens to the transfer is told to the monitors of the task that has begun it, until that is over.
public final class Deduplication: Interceptor {
    private struct Flight {
        let number: UInt64
        /// By what name the session holds the transfer still.
        let holder: TaskID
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
        guard let session = exchange.session, let key = Key(exchange, of: session) else {
            return try await next(exchange)
        }
        let limit = exchange.timeLeft
        let deadline = limit.map { MonotonicTime.now.advanced(by: $0) }
        let monitors = PassengerMonitors(exchange.monitors)
        // The transfer may go on for others when this task is over, and nothing may be heard of a task after its end.
        defer { monitors.silence() }
        let flight = join(key, holder: session.makeTaskID()) { answer, number, holder in
            var shared = exchange
            shared.holder = holder
            shared.monitors = exchange.monitors.isEmpty ? [] : [monitors]
            // Each request that waits has a time-out of its own.
            shared.request.timeouts.total = .seconds(DeltaSeconds.most)
            return Task { [shared] in
                do throws(RequestError) {
                    self.land(key, number, .success(try await next(shared)), answer)
                } catch {
                    self.land(key, number, .failure(error), answer)
                }
            }
        }
        await session.join(flight.holder, exchange.task)
        let result = await flight.answer.wait(until: deadline, on: session.loop)
        let metrics = result == nil ? await session.progress(of: flight.holder) : nil
        await session.leave(flight.holder, exchange.task)
        if let result { return try result.get() }
        leave(key, flight.number)
        guard let limit, !Task.isCancelled else { throw RequestError(.cancelled, metrics: metrics ?? RequestMetrics()) }
        throw RequestError(
            .timedOut(metrics?.failedPhase ?? .resolve, after: limit + exchange.timeSpent),
            metrics: metrics ?? RequestMetrics())
    }

    /// How many transfers are under way.
    public var count: Int { state.withLock { $0.flights.count } }

    private func join(
        _ key: Key, holder: TaskID,
        _ start: (PendingValue<Result<Response, RequestError>>, UInt64, TaskID) -> Task<Void, Never>
    ) -> Flight {
        state.withLock { state in
            if let flight = state.flights[key] {
                state.flights[key]?.passengers += 1
                return flight
            }
            state.nextNumber += 1
            let number = state.nextNumber
            let answer = PendingValue<Result<Response, RequestError>>()
            let flight = Flight(
                number: number, holder: holder, answer: answer, task: start(answer, number, holder))
            state.flights[key] = flight
            return flight
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

/// The monitors of the task that has begun a transfer, for as long as it waits for it.
private final class PassengerMonitors: EventMonitor {
    private let monitors: [any EventMonitor]
    private let isSilent = Atomic<Bool>(false)

    init(_ monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    func silence() {
        isSilent.store(true, ordering: .releasing)
    }

    func observe(_ event: TaskEvent) {
        for monitor in present { monitor.observe(event) }
    }

    func observe(_ retry: RetryEvent) {
        for monitor in present { monitor.observe(retry) }
    }

    func observe(_ validation: ValidationEvent) {
        for monitor in present { monitor.observe(validation) }
    }

    private var present: [any EventMonitor] { isSilent.load(ordering: .acquiring) ? [] : monitors }
}

extension Deduplication {
    /// What makes requests alike: all that is asked, of the same session, with as much time left.
    private struct Key: Hashable {
        let session: ObjectIdentifier
        let request: RequestIdentity
        let timeSpent: Duration

        init?(_ exchange: Exchange, of session: Session) {
            let request = exchange.request
            guard request.method == .get || request.method == .head, exchange.delivery.isMemory,
                !request.interceptors.contains(where: { $0.stage > .sharing }),
                let identity = RequestIdentity(request)
            else { return nil }
            self.session = ObjectIdentifier(session)
            self.request = identity
            timeSpent = exchange.timeSpent
        }
    }
}
