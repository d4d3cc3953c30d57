import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("The limits of a session")
struct SessionLimitTests {
    /// A server that answers when it is told to, and counts who waits for that.
    final class Gate: Sendable {
        private struct State {
            var waiting = 0
            var most = 0
            var isOpen = false
        }

        private let state = Mutex(State())

        var waiting: Int { state.withLock { $0.waiting } }
        var most: Int { state.withLock { $0.most } }

        func open() { state.withLock { $0.isOpen = true } }

        func pass() {
            state.withLock { state in
                state.waiting += 1
                state.most = max(state.most, state.waiting)
            }
            while !state.withLock({ $0.isOpen }) { usleep(2_000) }
            state.withLock { $0.waiting -= 1 }
        }

        /// Waits until so many wait.
        func wait(for count: Int) async throws {
            try await expectSoon("\(count) requests", within: .seconds(300)) { waiting >= count }
        }
    }

    private func server(_ gate: Gate) throws -> SocketServer {
        try SocketServer { connection in
            connection.readRequest()
            gate.pass()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
    }

    private func session(limit: Int?) throws -> Session {
        var configuration = SessionConfiguration.default
        configuration.maximumConcurrentRequests = limit
        configuration.maximumConnectionsPerHost = 100
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ server: SocketServer) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
    }

    @Test("of requests that are all cancelled at once, those that waited for their turn do not begin")
    func cancelledAtOnce() async throws {
        let connections = Counter()
        let server = try SocketServer { connection in
            connections.next()
            connection.waitForEnd()
        }
        let session = try session(limit: 2)
        let request = try request(server)
        let tasks = (0..<100).map { _ in session.dataTask(request) }
        for task in tasks { task.resume() }
        try await expectSoon("two connections") { connections.value == 2 }
        try await expectSoon("all tasks") { await session.runningTasks.count == tasks.count }
        await Task(executorPreference: session.loop) { for task in tasks { task.cancel() } }.value
        for task in tasks {
            let error = await #expect(throws: RequestError.self) { try await task.value }
            #expect(error?.reason == .cancelled)
        }
        // It comes after all others that there have been.
        let last = session.dataTask(request)
        last.resume()
        try await expectSoon("one more connection") { connections.value > 2 }
        try await Task.sleep(for: .milliseconds(50))
        #expect(connections.value == 3)
        last.cancel()
    }

    @Test("no more requests run at once than may, and all are answered in the end", arguments: [1, 3])
    func concurrency(limit: Int) async throws {
        let gate = Gate()
        let server = try server(gate)
        let session = try session(limit: limit)
        let request = try request(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 { group.addTask { try await session.response(for: request).statusCode } }
            try await gate.wait(for: limit)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(gate.most == limit)
    }

    @Test(
        "one that waits for a connection does so no longer than it may",
        arguments: [
            Timeouts(connect: .milliseconds(20)), Timeouts(total: .milliseconds(20)),
            Timeouts(connect: .seconds(30), total: .milliseconds(20)),
        ])
    func waitingTime(timeouts: Timeouts) async throws {
        let gate = Gate()
        let server = try server(gate)
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = 1
        let session = try Session(configuration: configuration, loop: EventLoop())
        let first = try request(server)
        async let answer = session.response(for: first)
        try await gate.wait(for: 1)
        var second = first
        second.timeouts = timeouts
        let error = await #expect(throws: RequestError.self) { try await session.response(for: second) }
        #expect(error?.reason == .timedOut(.connect, after: .milliseconds(20)))
        gate.open()
        #expect(try await answer.statusCode == 200)
    }

    @Test("one that waits for its turn can be cancelled, and is never sent")
    func cancelled() async throws {
        let gate = Gate()
        let server = try server(gate)
        let session = try session(limit: 1)
        let request = try request(server)
        let first = Task { try await session.response(for: request).statusCode }
        try await gate.wait(for: 1)
        let second = Task { try await session.response(for: request).statusCode }
        second.cancel()
        let error = await #expect(throws: RequestError.self) { _ = try await second.value }
        #expect(error?.reason == .cancelled)
        gate.open()
        #expect(try await first.value == 200)
        #expect(gate.most == 1)
    }

    @Test(
        "those that wait for their turn come to their end where the session finishes what runs",
        arguments: [false, true])
    func finished(isFirstCancelled: Bool) async throws {
        let gate = Gate()
        let server = try server(gate)
        let session = try session(limit: 1)
        let request = try request(server)
        let tasks = (0..<6).map { _ in session.dataTask(request) }
        for task in tasks { task.resume() }
        try await gate.wait(for: 1)
        try await expectSoon { await session.runningTasks.count == tasks.count }
        await session.finishAndInvalidate()
        if isFirstCancelled { tasks[0].cancel() }
        gate.open()
        try await expectSoon("the end of all", within: .seconds(20)) { tasks.allSatisfy { $0.state == .completed } }
        for task in tasks.dropFirst() where task.state == .completed {
            #expect(try await task.value.statusCode == 200)
        }
    }

    @Test("invalidation with cancellation ends those that wait, too")
    func invalidated() async throws {
        let gate = Gate()
        let server = try server(gate)
        let session = try session(limit: 1)
        let request = try request(server)
        let tasks = (0..<4).map { _ in Task { try await session.response(for: request).statusCode } }
        try await gate.wait(for: 1)
        try await expectSoon { await session.runningTasks.count == 4 }
        await session.invalidateAndCancel()
        for task in tasks {
            let error = await #expect(throws: RequestError.self) { _ = try await task.value }
            #expect(error?.reason == .cancelled)
        }
        gate.open()
    }

    @Test("kinds of connection without end do not keep connections without end")
    func pools() async throws {
        let open = Mutex(0)
        let server = try SocketServer { connection in
            open.withLock { $0 += 1 }
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            open.withLock { $0 -= 1 }
        }
        let session = try session(limit: nil)
        var request = try request(server)
        for number in 1...80 {
            request.sourceAddress = IPAddress("127.0.0.\(number)")
            #expect(try await session.response(for: request).statusCode == 200)
        }
        try await expectSoon { open.withLock { (1...32).contains($0) } }
        // The last one is still there.
        let metrics = try await session.response(for: request).metrics
        #expect(metrics.isConnectionReused)
    }
}
