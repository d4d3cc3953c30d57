import EventLoop
import Foundation
import Glibc
import NetworkAddress
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("The life of a session")
struct SessionLifeTests {
    /// Answers once it is released, and tells when it was asked.
    final class Gate: Sendable {
        let asked: AsyncStream<Void>
        let server: SocketServer
        private let signal: Signal

        init() throws {
            let signal = try Signal()
            self.signal = signal
            let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
            self.asked = asked
            server = try SocketServer { connection in
                connection.readRequest()
                continuation.yield()
                signal.wait()
                connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
            }
        }

        func release() { signal.fire() }
    }

    func request(_ port: Int) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
    }

    @Test("invalidating with cancellation ends what runs and refuses what comes")
    func invalidateAndCancel() async throws {
        let gate = try Gate()
        let session = try Session(loop: EventLoop())
        let request = try request(gate.server.port)
        let task = Task { try await session.response(for: request) }
        for await _ in gate.asked { break }
        await session.invalidateAndCancel()
        let running = await #expect(throws: RequestError.self) { try await task.value }
        #expect(running?.reason == .cancelled)
        let later = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(later?.reason == .sessionInvalidated)
        gate.release()
    }

    @Test("invalidating without lets what runs finish and refuses what comes")
    func finishAndInvalidate() async throws {
        let gate = try Gate()
        let session = try Session(loop: EventLoop())
        let request = try request(gate.server.port)
        let task = Task { try await session.response(for: request) }
        for await _ in gate.asked { break }
        await session.finishAndInvalidate()
        let later = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(later?.reason == .sessionInvalidated)
        gate.release()
        #expect(try await task.value.body == Data("ok".utf8))
    }

    /// Tells each request, and answers it as the script says.
    func counting(
        _ script: @escaping @Sendable (SocketServer.Connection) -> Void
    ) throws -> (server: SocketServer, count: Counter, asked: AsyncStream<Void>) {
        let count = Counter()
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            count.next()
            script(connection)
            continuation.yield()
        }
        return (server, count, asked)
    }

    @Test("once a session is invalidated nothing is sent by a request that waits to be tried again")
    func invalidatedBetweenAttempts() async throws {
        let (server, count, asked) = try counting {
            $0.send("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        var request = try request(server.port)
        request.interceptors = [
            Attempts(retriers: [RetryPolicy { $0.backoff = Backoff(base: .milliseconds(300), jitter: 0) }])
        ]
        let session = try Session(loop: EventLoop())
        let wanted = request
        let task = Task { try await session.response(for: wanted) }
        for await _ in asked { break }
        await session.invalidateAndCancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(count.value == 1)
    }

    /// What a request may wait for between two transfers.
    enum Wait: String, CaseIterable {
        case retry, path, challenge, adapter, stream

        struct NoPath: PathSource {
            func paths() -> AsyncStream<Bool> {
                AsyncStream { $0.yield(false) }
            }
        }

        struct Slow: RequestAdapter, ChallengeHandler, RequestRetrier {
            let begun: AsyncStream<Void>.Continuation

            func adapt(_ request: Request) async throws(RequestError) -> Request {
                begun.yield()
                try? await Task.sleep(for: .seconds(1000))
                return request
            }

            func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
                begun.yield()
                try? await Task.sleep(for: .seconds(1000))
                return .cancel
            }

            func retry(_ attempt: RequestAttempt) async -> RetryDecision {
                begun.yield()
                return .doNotRetry
            }
        }

        func interceptor(_ begun: AsyncStream<Void>.Continuation) -> any Interceptor {
            let slow = Slow(begun: begun)
            let policy = RetryPolicy { $0.backoff = Backoff(base: .seconds(1000), maximum: .seconds(1000), jitter: 0) }
            return switch self {
            case .retry, .stream: Attempts(retriers: [slow, policy])
            case .path: Attempts(retriers: [slow, ConnectivityRetrier(source: NoPath())])
            case .challenge: ChallengeResponder(handler: slow)
            case .adapter: Attempts(adapters: [slow])
            }
        }
    }

    @Test(
        "invalidating with cancellation ends what waits between two transfers", .timeLimit(.minutes(1)),
        arguments: Wait.allCases)
    func invalidatedWaits(wait: Wait) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            let status = wait == .challenge ? "401 No\r\nWWW-Authenticate: Basic realm=\"a\"" : "503 Busy"
            connection.send("HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        var request = try request(wait == .path ? 1 : server.port)
        if wait == .path { request.sourceAddress = IPAddress("203.0.113.7") }
        request.interceptors = [wait.interceptor(continuation)]
        let session = try Session(loop: EventLoop())
        let wanted = request
        let task = Task {
            guard wait == .stream else {
                _ = try await session.response(for: wanted)
                return
            }
            _ = try await session.stream(wanted)
        }
        for await _ in begun { break }
        try await Task.sleep(for: .milliseconds(50))
        await session.invalidateAndCancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }

    @Test("a request that waits for a path can be cancelled", .timeLimit(.minutes(1)))
    func cancelledWait() async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        var request = try request(1)
        request.sourceAddress = IPAddress("203.0.113.7")
        request.interceptors = [Wait.path.interceptor(continuation)]
        let session = try Session(loop: EventLoop())
        let wanted = request
        let task = Task { try await session.response(for: wanted) }
        for await _ in begun { break }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }

    @Test("once a session is invalidated nothing is sent by a request whose redirect is being decided")
    func invalidatedBetweenRedirects() async throws {
        let (server, count, _) = try counting {
            $0.send("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
        }
        let session = try Session(loop: EventLoop())
        var request = try request(server.port)
        request.interceptors = [
            RedirectFollower(
                handler: RedirectClosure { _ in
                    await session.invalidateAndCancel()
                    return .follow
                })
        ]
        let wanted = request
        let error = await #expect(throws: RequestError.self) { try await session.response(for: wanted) }
        #expect(error?.reason == .cancelled)
        #expect(count.value == 1)
    }

    @Test("a session that finishes what runs follows its redirects to their end")
    func finishingByRedirect() async throws {
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            let answer = count.next() == 0 ? "302 Found\r\nLocation: /next" : "200 OK"
            connection.send("HTTP/1.1 \(answer)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        let session = try Session(loop: EventLoop())
        var request = try request(server.port)
        request.interceptors = [
            RedirectFollower(
                handler: RedirectClosure { _ in
                    await session.finishAndInvalidate()
                    return .follow
                })
        ]
        #expect(try await session.response(for: request).statusCode == 200)
        #expect(count.value == 2)
    }

    /// Notes the ends of tasks, and that of the session.
    private final class Ends: EventMonitor {
        let noted = Mutex<[String]>([])

        func observe(_ event: TaskEvent) {
            if case .completed(let error) = event.kind { noted.withLock { $0.append("\(error == nil)") } }
        }

        func observe(invalidationOf session: Session) {
            noted.withLock { $0.append("invalidated") }
        }
    }

    @Test("a task that was started just before its session finishes runs, and the end of the session is told after it")
    func finishingAtOnce() async throws {
        let (server, _, _) = try counting {
            $0.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        let ends = Ends()
        var configuration = SessionConfiguration()
        configuration.monitors = [ends]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let (task, late) = (session.dataTask(try request(server.port)), session.dataTask(try request(server.port)))
        // On the loop itself, where nothing comes between.
        session.loop.schedule(after: .zero) {
            task.resume()
            session.assumeIsolated { $0.finishAndInvalidate() }
            late.resume()
        }
        #expect(try await task.value.body == Data("ok".utf8))
        let error = await #expect(throws: RequestError.self) { try await late.value }
        #expect(error?.reason == .sessionInvalidated)
        #expect(ends.noted.withLock { $0 } == ["false", "true", "invalidated"])
    }

    @Test("tasks that were held, or not started, end when their session is invalidated")
    func invalidatedTasks() async throws {
        let gate = try Gate()
        let session = try Session(loop: EventLoop())
        let held = session.dataTask(try request(gate.server.port))
        let created = session.dataTask(try request(gate.server.port))
        held.resume()
        for await _ in gate.asked { break }
        held.suspend()
        await session.invalidateAndCancel()
        for task in [held, created] {
            let error = await #expect(throws: RequestError.self) { try await task.value }
            #expect(error?.reason == .cancelled)
        }
        gate.release()
    }

    @Test("a session that nobody holds closes its connections")
    func released() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForEnd()
            continuation.yield()
        }
        let loop = try EventLoop()
        func use() async throws {
            let session = try Session(loop: loop)
            _ = try await session.response(for: request(server.port))
        }
        try await use()
        for await _ in ended { break }
    }

    @Test("an actor on the same loop calls the session on the loop's thread")
    func sharedLoop() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let loop = try EventLoop()
        let caller = Caller(session: try Session(loop: loop), loop: loop)
        #expect(try await caller.status(request(server.port)) == 204)
    }

    actor Caller {
        let session: Session
        let loop: EventLoop

        init(session: Session, loop: EventLoop) {
            self.session = session
            self.loop = loop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func status(_ request: Request) async throws(RequestError) -> Int {
            try await session.response(for: request).statusCode
        }
    }
}

@Suite("A session used for long", .serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SessionEnduranceTests {
    /// Under a sanitizer, with all other tests beside it, some requests in a hundred wait half a second for a lock of the
    /// process's: fewer are sent there.
    @Test("thousands of requests go over one connection", .timeLimit(.minutes(4)))
    func flat() async throws {
        let server = try NginxServer(documents: ["text": Data("hello".utf8)])
        let loop = try EventLoop()
        let client = Client(session: try Session(loop: loop), loop: loop)
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/text")))
        #expect(try await client.ports(of: request, count: Sanitizer.isInUse ? 1_000 : 5_000).count == 1)
        await client.session.invalidateAndCancel()
    }

    /// Asks on the session's own loop, as what is built on it does.
    actor Client {
        let session: Session
        let loop: EventLoop

        init(session: Session, loop: EventLoop) {
            self.session = session
            self.loop = loop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func ports(of request: Request, count: Int) async throws -> Set<Int?> {
            var ports: Set<Int?> = []
            for _ in 0..<count {
                let response = try await session.response(for: request)
                #expect(response.statusCode == 200)
                ports.insert(response.metrics.localPort)
            }
            return ports
        }
    }
}
