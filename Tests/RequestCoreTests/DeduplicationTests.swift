import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("Deduplication", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct DeduplicationTests {
    let server: NginxServer
    let deduplication = Deduplication()
    let session: Session

    init() throws {
        let text = String(repeating: "x", count: 600)
        // About a second for each answer, or four where a test has to meet a request while it is under way.
        server = try NginxServer(
            locations: """
                location / { limit_rate 400; return 200 "\(text)"; }
                location /long { limit_rate 150; return 200 "\(text)"; }
                """)
        var configuration = SessionConfiguration()
        configuration.interceptors = [deduplication]
        session = try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String = "/", method: RequestMethod = .get) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: method)
    }

    @Test("a hundred requests that are alike are one transfer, and all get its answer")
    func many() async throws {
        let request = try request()
        let bodies = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { [session] in try await session.response(for: request).body.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: 600, count: 100))
        #expect(try await server.logged(1) == 1)
        #expect(deduplication.count == 0)
    }

    @Test("cancelling one leaves the others their transfer, whoever was first; the last one ends it")
    func cancel() async throws {
        let request = try request("/long")
        let tasks = (0..<3).map { _ in Task { [session] in try await session.response(for: request) } }
        try await expectSoon("all three") { await session.runningTasks.count == tasks.count }
        // Long enough that all wait for the one answer, which takes longer.
        try await Task.sleep(for: .milliseconds(100))
        tasks[0].cancel()
        let error = await #expect(throws: RequestError.self) { try await tasks[0].value }
        #expect(error?.reason == .cancelled)
        #expect(try await tasks[1].value.body.count == 600)
        #expect(try await tasks[2].value.body.count == 600)
        #expect(try await server.logged(1) == 1)
        let last = Task { [session] in try await session.response(for: request) }
        try await expectSoon("its transfer") { deduplication.count == 1 }
        last.cancel()
        await #expect(throws: RequestError.self) { try await last.value }
        #expect(deduplication.count == 0)
    }

    @Test("the task that has begun a transfer hears no more of it once it is over")
    func silence() async throws {
        let ends = Ends()
        var configuration = SessionConfiguration()
        configuration.interceptors = [deduplication]
        configuration.monitors = [ends]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = try request("/long")
        let (first, second) = (session.dataTask(request), session.dataTask(request))
        first.resume()
        try await expectSoon("its transfer") { deduplication.count == 1 }
        second.resume()
        try await expectSoon("both") { await session.runningTasks.count == 2 }
        // Long enough that the second waits for the one answer, which takes longer.
        try await Task.sleep(for: .milliseconds(100))
        first.cancel()
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(try await second.value.body.count == 600)
        #expect(ends.afterwards.isEmpty, "\(ends.afterwards)")
        #expect(ends.count == 2)
        #expect(try await server.logged(1) == 1)
    }

    /// Keeps what is told of tasks after their end.
    private final class Ends: EventMonitor {
        private let state = Mutex<(ended: Set<TaskID>, afterwards: [TaskEvent])>(([], []))

        var count: Int { state.withLock { $0.ended.count } }
        var afterwards: [TaskEvent] { state.withLock { $0.afterwards } }

        func observe(_ event: TaskEvent) {
            state.withLock { state in
                if state.ended.contains(event.task) { state.afterwards.append(event) }
                if case .completed = event.kind { state.ended.insert(event.task) }
            }
        }
    }

    @Test(
        "a task that is suspended holds up no other, and all of them together their transfer", .timeLimit(.minutes(1))
    )
    func suspension() async throws {
        let request = try request("/long")
        let tasks = (0..<2).map { _ in session.dataTask(request) }
        tasks[0].resume()
        try await expectSoon("its transfer") { deduplication.count == 1 }
        tasks[1].resume()
        tasks[0].suspend()
        #expect(try await tasks[1].value.body.count == 600)
        tasks[0].resume()
        #expect(try await tasks[0].value.body.count == 600)
        let (one, other) = (session.dataTask(request), session.dataTask(request))
        for task in [one, other] {
            task.resume()
            try await expectSoon("its start") { await session.runningTasks.contains(task.id) }
            task.suspend()
        }
        // Longer than an answer takes.
        try await Task.sleep(for: .seconds(6))
        #expect(deduplication.count == 1 && one.state == .suspended && other.state == .suspended)
        let third = session.dataTask(request)
        third.resume()
        #expect(try await third.value.body.count == 600)
        _ = try await (one.value, other.value)
        #expect(deduplication.count == 0)
    }

    @Test("each has its own time, from when it came", .timeLimit(.minutes(1)))
    func deadlines() async throws {
        let silent = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/")))
        request.timeouts.total = .seconds(1)
        let wanted = request
        let clock = ContinuousClock()
        let ask = { @Sendable [session] in
            let start = clock.now
            let error = await #expect(throws: RequestError.self) { try await session.response(for: wanted) }
            #expect(error?.reason == .timedOut(.processing, after: .seconds(1)))
            #expect(error?.failedPhase == .processing)
            return start.duration(to: clock.now)
        }
        let first = Task { await ask() }
        try await Task.sleep(for: .milliseconds(600))
        let second = await ask()
        #expect(await first.value >= .seconds(1) && second >= .seconds(1))
        #expect(deduplication.count == 0)
    }

    @Test("requests that differ, or that change something, are sent on their own")
    func different() async throws {
        var other = try request()
        other.headers = ["X-Mine": "1"]
        let requests = try [request(), other, request("/other"), request(method: .post), request(method: .post)]
        try await withThrowingTaskGroup(of: Int.self) { group in
            for request in requests {
                group.addTask { [session] in try await session.response(for: request).statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await server.logged(5) == 5)
    }
}
