import EventLoop
import Foundation
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Retries")
struct RetryTests {
    /// A server that answers with each of the statuses in turn, the last one for ever, and counts.
    final class Script: Sendable {
        private let rest: Mutex<[String]>
        let count = Mutex(0)

        init(_ answers: [String]) { rest = Mutex(answers) }

        func next() -> String {
            count.withLock { $0 += 1 }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }

        var requests: Int { count.withLock { $0 } }
    }

    private func server(_ script: Script) throws -> SocketServer {
        try SocketServer { connection in
            while !connection.readRequest().isEmpty {
                let answer = script.next()
                guard !answer.isEmpty else { return }
                connection.send("HTTP/1.1 \(answer)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }

    private func session(_ interceptors: any Interceptor...) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = interceptors
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ server: SocketServer, method: RequestMethod = .get) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
    }

    private var quick: RetryPolicy {
        RetryPolicy { $0.backoff = Backoff(base: .milliseconds(1)) }
    }

    @Test(
        "a server that recovers is asked until it answers", arguments: ["503 Busy", "500 Error", "429 Slow down", ""])
    func recovers(failure: String) async throws {
        let script = Script([failure, failure, "200 OK"])
        let server = try server(script)
        let session = try session(Attempts(retriers: [quick]))
        #expect(try await session.response(for: request(server)).statusCode == 200)
        #expect(script.requests == 3)
    }

    @Test("a connection that is lost within the TLS handshake is made again")
    func lostHandshake() async throws {
        let count = Counter()
        let server = try SocketServer { connection in
            var byte: UInt8 = 0
            _ = read(connection.descriptor, &byte, 1)
            connection.resetOnClose()
            count.next()
        }
        let session = try session(Attempts(retriers: [quick]))
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: Request(url: url)) }
        #expect(error?.failedPhase == .tls)
        #expect(count.value == 3)
    }

    @Test("after the limit the last answer stands")
    func limit() async throws {
        let script = Script(["503 Busy"])
        let server = try server(script)
        let response = try await session(Attempts(retriers: [quick])).response(for: request(server))
        #expect(response.statusCode == 503)
        #expect(response.body == Data("ok".utf8))
        #expect(script.requests == 3)
    }

    @Test("a method that is not idempotent is sent once, unless it is named")
    func idempotence() async throws {
        let script = Script(["503 Busy"])
        let server = try server(script)
        #expect(
            try await session(Attempts(retriers: [quick])).response(for: request(server, method: .post)).statusCode
                == 503)
        #expect(script.requests == 1)
        let bold = RetryPolicy {
            $0.methods = [.post]; $0.backoff = Backoff(base: .milliseconds(1))
        }
        _ = try await session(Attempts(retriers: [bold])).response(for: request(server, method: .post))
        #expect(script.requests == 4)
    }

    @Test("the server's own wait is kept to, and its answer stands if it asks for too much")
    func retryAfter() async throws {
        let script = Script(["503 Busy\r\nRetry-After: 1", "200 OK"])
        let server = try server(script)
        let start = ContinuousClock.now
        #expect(try await session(Attempts(retriers: [quick])).response(for: request(server)).statusCode == 200)
        #expect(start.duration(to: .now) >= .seconds(1))
        let patient = Script(["503 Busy\r\nRetry-After: 3600"])
        let closed = try self.server(patient)
        #expect(try await session(Attempts(retriers: [quick])).response(for: request(closed)).statusCode == 503)
        #expect(patient.requests == 1)
    }

    @Test("the wait doubles, is cut at the maximum, and chance shortens it")
    func backoff() {
        let backoff = Backoff(base: .milliseconds(500), maximum: .seconds(3), jitter: 0.5)
        #expect(
            (1...4).map { backoff.delay(after: $0, chance: 0) } == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(3),
            ])
        #expect(backoff.delay(after: 1, chance: 1) == .milliseconds(250))
        #expect(backoff.delay(after: 1_000_000, chance: 0) == .seconds(3))
    }

    @Test(
        "no number of a backoff is beyond it",
        arguments: [
            (Backoff(factor: 1e300), Duration.seconds(30)), (Backoff(factor: .infinity), .seconds(30)),
            (Backoff(base: .seconds(1), factor: 1e30, maximum: .seconds(1 << 40), jitter: 0), .seconds(1 << 40)),
            (Backoff(factor: -2), .zero), (Backoff(factor: 2, jitter: -3), .seconds(30)),
            (Backoff(base: .seconds(-1)), .zero), (Backoff(base: .zero, factor: .infinity), .zero),
        ])
    func immeasurableBackoff(backoff: Backoff, expected: Duration) {
        #expect(backoff.delay(after: 1000, chance: 0) == expected)
        #expect(backoff.delay(after: .max, chance: 1) <= expected)
    }

    @Test("a wait that never ends can be cancelled")
    func endlessWait() async throws {
        struct Never: RequestRetrier {
            func retry(_ attempt: RequestAttempt) async -> RetryDecision { .retry(after: .seconds(Int64.max)) }
        }
        let script = Script(["503 Busy"])
        let server = try server(script)
        let session = try session(Attempts(retriers: [Never()]))
        let request = try request(server)
        let task = Task { try await session.response(for: request) }
        while script.requests == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }

    @Test("a budget that is used up ends the retries of all")
    func budget() async throws {
        let script = Script(["503 Busy"])
        let server = try server(script)
        let budget = RetryBudget(ratio: 0, reserve: 3)
        var policy = quick
        policy.budget = budget
        policy.limit = 100
        let session = try session(Attempts(retriers: [policy]))
        #expect(try await session.response(for: request(server)).statusCode == 503)
        #expect(script.requests == 4)
        #expect(budget.available == 0)
        #expect(try await session.response(for: request(server)).statusCode == 503)
        #expect(script.requests == 5)
    }

    /// Adds a field that tells how often it ran; notes each attempt it is asked about.
    final class Recorder: RequestAdapter, RequestRetrier {
        let attempts = Mutex<[RequestAttempt]>([])
        let decision: RetryDecision

        init(_ decision: RetryDecision) { self.decision = decision }

        func adapt(_ request: Request) async throws(RequestError) -> Request {
            #expect(request.headers["X-Adapted"] == nil)
            var request = request
            request.headers["X-Adapted"] = "yes"
            return request
        }

        func retry(_ attempt: RequestAttempt) async -> RetryDecision {
            attempts.withLock { $0.append(attempt) }
            return attempt.count < 3 ? decision : .doNotRetry
        }
    }

    @Test(
        "adapters see the original request each time; retriers are asked once an attempt, in order, until one decides")
    func chain() async throws {
        let script = Script(["503 Busy"])
        let server = try server(script)
        let (first, second, third) = (Recorder(.doNotRetry), Recorder(.retry), Recorder(.retry))
        let attempts = Attempts(adapters: [first], retriers: [first, second, third])
        #expect(try await session(attempts).response(for: request(server)).statusCode == 503)
        #expect(first.attempts.withLock { $0.map(\.count) } == [1, 2, 3])
        #expect(second.attempts.withLock { $0.map(\.count) } == [1, 2, 3])
        #expect(third.attempts.withLock { $0.map(\.count) } == [3])
        #expect(
            first.attempts.withLock {
                $0.allSatisfy { $0.sent?.headers["X-Adapted"] == "yes" && $0.request.headers.isEmpty }
            })
    }

    struct Refusing: RequestAdapter {
        func adapt(_ request: Request) async throws(RequestError) -> Request {
            throw RequestError(.authentication(.missingToken))
        }
    }

    @Test("an adapter's error is offered to the retriers, and nothing is sent")
    func adapterError() async throws {
        let script = Script(["200 OK"])
        let server = try server(script)
        let recorder = Recorder(.retry)
        let session = try session(Attempts(adapters: [Refusing()], retriers: [recorder]))
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request(server)) }
        #expect(error.reason == .authentication(.missingToken))
        #expect(recorder.attempts.withLock { $0.count } == 3)
        #expect(recorder.attempts.withLock { $0.allSatisfy { $0.sent == nil } })
        #expect(script.requests == 0)
    }

    @Test("a retrier may fail the request with its own error")
    func failing() async throws {
        let server = try server(Script(["503 Busy"]))
        let recorder = Recorder(.fail(RequestError(.setup("mine"))))
        let session = try session(Attempts(retriers: [recorder]))
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request(server)) }
        #expect(error.reason == .setup("mine"))
    }

    @Test("cancelling ends the wait between attempts, and no retrier is asked about it")
    func cancel() async throws {
        let server = try server(Script(["503 Busy"]))
        let recorder = Recorder(.retry(after: .seconds(600)))
        let session = try session(Attempts(retriers: [recorder]))
        let request = try request(server)
        let task = Task { try await session.response(for: request) }
        try await expectSoon("an attempt") { recorder.attempts.withLock { !$0.isEmpty } }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(recorder.attempts.withLock { $0.count } == 1)
    }

    @Test("a stream begins with the answer that stands, not with one that was asked for again")
    func stream() async throws {
        let server = try server(Script(["503 Busy", "200 OK\r\nX-Last: yes"]))
        let stream = try await session(Attempts(retriers: [quick])).stream(request(server))
        #expect(stream.head.statusCode == 200 && stream.head.headers["X-Last"] == "yes")
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(body == Data("ok".utf8))
    }

    @Test("a wait may be a date, by the server's own clock")
    func retryAfterDate() async throws {
        let dates = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: "
        for (date, count) in [("Sun Nov  6 08:49:37 1994", 2), ("Sunday, 06-Nov-94 09:49:37 GMT", 1)] {
            let script = Script(["503 Busy\r\n" + dates + date, "200 OK"])
            let server = try server(script)
            _ = try await session(Attempts(retriers: [quick])).response(for: request(server))
            #expect(script.requests == count)
        }
    }

    @Test("a lost connection makes no request go out twice that must not", arguments: [RequestMethod.post, .get])
    func silentRepetition(method: RequestMethod) async throws {
        let script = Script(["200 OK", "", "200 OK"])
        let server = try server(script)
        let session = try session()
        _ = try await session.response(for: request(server))
        if method.isIdempotent {
            #expect(try await session.response(for: request(server, method: method)).statusCode == 200)
            #expect(script.requests == 3)
        } else {
            let error = try await #require(throws: RequestError.self) {
                try await session.response(for: request(server, method: method))
            }
            #expect(error.reason == .connectionLost(received: 0, nil))
            #expect(script.requests == 2)
        }
    }

    // MARK: Waiting for connectivity

    /// A path that a test puts up and takes down.
    final class Paths: PathSource {
        private let state = Mutex<(Bool, [AsyncStream<Bool>.Continuation])>((false, []))

        func paths() -> AsyncStream<Bool> {
            let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
            state.withLock { state in
                continuation.yield(state.0)
                state.1.append(continuation)
            }
            return stream
        }

        var listeners: Int { state.withLock { $0.1.count } }

        func set(_ hasPath: Bool) {
            state.withLock { state in
                state.0 = hasPath
                state.1.forEach { $0.yield(hasPath) }
            }
        }
    }

    private static let namespaceAndServer = TestNamespace.unavailable == nil && NginxServer.isInstalled

    @Test(
        "a request without a path is held, and sent when there is one",
        .enabled(if: namespaceAndServer, "no namespaces or no nginx here"))
    func connectivity() async throws {
        let namespace = try TestNamespace()
        let server = try NginxServer(in: namespace, port: 80, locations: "location / { return 200 ok; }")
        let paths = Paths()
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts(retriers: [ConnectivityRetrier(source: paths)])]
        let loop = try EventLoop(networkNamespace: namespace.descriptor)
        let session = try Session(configuration: configuration, loop: loop)
        let request = try Request(url: #require(URL(string: "http://192.0.2.1/")))
        async let response = session.response(for: request)
        try await expectSoon("a listener") { paths.listeners > 0 }
        try namespace.ip("addr add 192.0.2.1/32 dev lo")
        paths.set(true)
        #expect(try await response.statusCode == 200)
        #expect(try await server.logged(1) == 1)
    }

    @Test(
        "after the limit of the wait the request fails as it had; with a path it fails at once",
        .enabled(if: namespaceAndServer, "no namespaces or no nginx here"), arguments: [false, true])
    func connectivityLimit(hasPath: Bool) async throws {
        let namespace = try TestNamespace()
        let paths = Paths()
        paths.set(hasPath)
        let limit: Duration = hasPath ? .seconds(600) : .milliseconds(50)
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts(retriers: [ConnectivityRetrier(source: paths, limit: limit)])]
        let loop = try EventLoop(networkNamespace: namespace.descriptor)
        let session = try Session(configuration: configuration, loop: loop)
        let request = try Request(url: #require(URL(string: "http://192.0.2.1/")))
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error.reason == .connect(host: "192.0.2.1", port: 80, .networkUnreachable))
    }
}
