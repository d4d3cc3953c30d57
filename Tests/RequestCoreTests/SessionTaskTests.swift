import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("The life of a task")
struct TaskMachineTests {
    @Test("whatever happens, a task starts once at most and ends once")
    func histories() {
        var histories: [[Int]] = [[]]
        for _ in 0..<6 { histories += histories.flatMap { history in (0..<4).map { history + [$0] } } }
        for history in Set(histories) {
            var machine = TaskMachine()
            var (starts, ends) = (0, 0)
            for event in history {
                let before = machine
                switch event {
                case 0: starts += machine.resume() == .start ? 1 : 0
                case 1: _ = machine.suspend()
                case 2: ends += machine.cancel() == .completeAsCancelled ? 1 : 0
                default:
                    // A transfer ends only where there is one.
                    if starts > 0 { ends += machine.complete() ? 1 : 0 }
                }
                if before.stage == .completed { #expect(machine == before) }
                if before.stage == .canceling { #expect([.canceling, .completed].contains(machine.stage)) }
            }
            #expect(starts <= 1 && ends <= 1, "\(history)")
            #expect((ends == 1) == (machine.stage == .completed), "\(history)")
        }
    }
}

@Suite("A task")
struct SessionTaskTests {
    let session: Session

    init() throws {
        session = try Session(loop: EventLoop())
    }

    func request(_ server: SocketServer) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
    }

    @Test("it is suspended until it is resumed, and then gives its answer to everyone who waits")
    func resume() async throws {
        let count = Mutex(0)
        let server = try SocketServer { connection in
            connection.readRequest()
            count.withLock { $0 += 1 }
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        let task = session.dataTask(try request(server))
        #expect(task.state == .suspended)
        async let first = task.value
        task.resume()
        task.resume()
        #expect(try await first.body == Data("ok".utf8))
        #expect(try await task.value.body == Data("ok".utf8))
        #expect(task.state == .completed)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("cancelled before it starts, it sends nothing and ends as cancelled")
    func cancelBefore() async throws {
        let task = session.dataTask(try request(SocketServer { _ in Issue.record("asked") }))
        task.cancel()
        task.resume()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(task.state == .completed)
    }

    @Test("cancelled while it runs, it ends as cancelled")
    func cancelWhile() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            continuation.yield()
            connection.waitForEnd()
        }
        let task = session.dataTask(try request(server))
        task.resume()
        for await _ in asked { break }
        #expect(await session.runningTasks == [task.id])
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }

    /// Cancels a task as soon as the header of its answer has come.
    private final class Canceller: EventMonitor {
        let task = Mutex<DataTask?>(nil)
        let ends = Mutex<[RequestError.Reason?]>([])

        func observe(_ event: TaskEvent) {
            switch event.kind {
            case .responded: task.withLock { $0 }?.cancel()
            case .completed(let error): ends.withLock { $0.append(error?.reason) }
            default: break
            }
        }
    }

    @Test("cancelled by a monitor while its answer comes, it ends as cancelled, though all of it has come")
    func cancelInMonitor() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForEnd()
        }
        let canceller = Canceller()
        var configuration = SessionConfiguration()
        configuration.monitors = [canceller]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let task = session.dataTask(try request(server))
        canceller.task.withLock { $0 = task }
        task.resume()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(canceller.ends.withLock { $0 } == [.cancelled])
    }

    @Test("while it is suspended no bytes are taken and no idle time-out runs; resumed, it goes on to its end")
    func suspend() async throws {
        let total = 48 << 20
        let sent = Mutex(0)
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let piece = [UInt8](repeating: 120, count: 64 << 10)
            for _ in 0..<(total / piece.count) where connection.send(piece) { sent.withLock { $0 += piece.count } }
        }
        var request = try request(server)
        request.timeouts.idle = .seconds(2)
        let task = session.dataTask(request)
        task.resume()
        task.suspend()
        #expect(task.state == .suspended)
        // Until the server stands still: nothing more fits into the buffers between.
        var before = -1
        while sent.withLock({ $0 }) != before || before == 0 {
            before = sent.withLock { $0 }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(before < total)
        // Longer than the idle time-out, which is long enough for a machine that is busy.
        try await Task.sleep(for: .milliseconds(2200))
        task.resume()
        #expect(try await task.value.body.count == total)
    }

    @Test("while it is suspended no time-out but total runs, before it has a connection and when it has one")
    func suspendWaiting() async throws {
        let signal = try Signal()
        let asked = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            if asked.next() == 0 { signal.wait() }
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        }
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = try Session(configuration: configuration, loop: EventLoop())
        var request = try request(server)
        request.timeouts = Timeouts(connect: .seconds(3), idle: .seconds(3))
        // One has the connection, and the other waits for it.
        let tasks = (0..<2).map { _ in session.dataTask(request) }
        tasks[0].resume()
        while asked.value == 0 { try await Task.sleep(for: .milliseconds(1)) }
        tasks[1].resume()
        try await Task.sleep(for: .milliseconds(100))
        for task in tasks { task.suspend() }
        try await Task.sleep(for: .milliseconds(3500))
        #expect(tasks.allSatisfy { $0.state == .suspended })
        for task in tasks { task.resume() }
        signal.fire()
        for task in tasks { #expect(try await task.value.body == Data("ok".utf8)) }
    }

    /// A task that is held still while it waits for the only connection, and the one that has it.
    private func suspendedWithoutConnection(
        _ server: SocketServer, _ limit: (inout Timeouts) -> Void
    ) async throws -> (holder: SessionTask<Response>, task: SessionTask<Response>) {
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = try Session(configuration: configuration, loop: EventLoop())
        var request = try request(server)
        let holder = session.dataTask(request)
        holder.resume()
        while await session.runningTasks.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(100))
        limit(&request.timeouts)
        let task = session.dataTask(request)
        task.resume()
        task.suspend()
        return (holder, task)
    }

    @Test("a time-out goes on where it stood still")
    func suspendAndTimeOut() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        let (holder, task) = try await suspendedWithoutConnection(server) { $0.connect = .milliseconds(500) }
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        task.resume()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .timedOut(.connect, after: .milliseconds(500)))
        #expect(start.duration(to: .now) >= .milliseconds(300))
        holder.cancel()
    }

    @Test("while it is suspended its total time runs", .timeLimit(.minutes(1)))
    func suspendBeyondTotal() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        let (holder, task) = try await suspendedWithoutConnection(server) { $0.total = .milliseconds(500) }
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .timedOut(.connect, after: .milliseconds(500)))
        holder.cancel()
    }

    @Test("thousands are suspended and cancelled in no time", .timeLimit(.minutes(1)))
    func flood() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        let request = try request(server)
        let tasks = (0..<10_000).map { _ in session.dataTask(request) }
        for task in tasks { task.resume() }
        while await session.runningTasks.count < tasks.count { try await Task.sleep(for: .milliseconds(5)) }
        let start = ContinuousClock.now
        for task in tasks { task.suspend() }
        _ = await session.runningTasks
        let whenSuspended = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.value }
        // On a machine that is busy, too: where each looks at all others, it takes many times as long.
        #expect(start.duration(to: whenSuspended) < .seconds(40))
        #expect(whenSuspended.duration(to: .now) < .seconds(60))
    }

    @Test("progress is told in both directions, up to the whole")
    func progress() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var left = 1 << 20
            while left > 0 {
                let count = read(connection.descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                left -= count
            }
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 100_000))")
        }
        var post = try request(server)
        post.method = .post
        let task = session.uploadTask(post, from: .data(Data(count: 1 << 20)))
        let (sent, received) = (task.uploadProgress, task.downloadProgress)
        task.resume()
        _ = try await task.value
        var last: [TransferProgress] = []
        for await progress in sent where progress.fraction == 1 { last.append(progress) }
        for await progress in received where progress.fraction == 1 { last.append(progress) }
        #expect(last.map(\.completed) == [1 << 20, 100_000])
    }

    @Test("a reader of the progress who goes is forgotten")
    func progressReaders() async {
        let source = ProgressSource()
        source.update(TransferProgress(completed: 1, total: 2, decoded: 1))
        for _ in 0..<100 {
            _ = source.stream
            for await _ in source.stream { break }
        }
        #expect(source.readerCount == 0)
        let stays = source.stream
        #expect(source.readerCount == 1)
        source.finish()
        var seen: [Int64] = []
        for await progress in stays { seen.append(progress.completed) }
        #expect(seen == [1])
    }

    @Test("a monitor sees every step of a task in its order")
    func events() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let stream = EventStream()
        var configuration = SessionConfiguration.default
        configuration.monitors = [stream]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let task = session.dataTask(try request(server))
        task.resume()
        _ = try await task.value
        var steps: [String] = []
        for await event in stream.events {
            #expect(event.task == task.id)
            switch event.kind {
            case .resumed: steps.append("resumed")
            case .suspended: steps.append("suspended")
            case .requested: steps.append("requested")
            case .responded(let head): steps.append("responded \(head.statusCode)")
            case .sent: steps.append("sent")
            case .received(let progress): steps.append("received \(progress.completed)/\(progress.total ?? -1)")
            case .measured: steps.append("measured")
            case .answered(let response): steps.append("answered \(response.body.count)")
            case .saved, .serialized: steps.append("unexpected")
            case .completed(let error): steps.append("completed \(error == nil)")
            }
            if case .completed = event.kind { break }
        }
        #expect(
            steps == [
                "resumed", "requested", "responded 200", "received 2/2", "measured", "answered 2", "completed true",
            ])
    }

    @Test("a body from a reader is sent in chunks, or with its length where that is known", arguments: [nil, Int64(5)])
    func streamedBody(length: Int64?) async throws {
        struct Once: BodyReader {
            var rest = Array("hello".utf8)
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let count = min(2, buffer.count, rest.count)
                buffer.copyBytes(from: rest.prefix(count))
                rest.removeFirst(count)
                return count
            }
        }
        let server = try SocketServer { connection in
            let header = connection.readRequest()
            let expected = header.contains("Transfer-Encoding: chunked") ? "0\r\n\r\n" : "hello"
            var body = ""
            var byte: UInt8 = 0
            while !body.hasSuffix(expected), read(connection.descriptor, &byte, 1) == 1 {
                body.unicodeScalars.append(Unicode.Scalar(byte))
            }
            let answer = header + body
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(answer.utf8.count)\r\n\r\n"
            connection.send(head + answer)
        }
        var put = try request(server)
        put.method = .put
        let task = session.uploadTask(put, from: .stream(length: length) { Once() })
        task.resume()
        let echo = String(decoding: try await task.value.body, as: UTF8.self)
        #expect(echo.hasPrefix("PUT / HTTP/1.1\r\n"))
        #expect(echo.contains(length == nil ? "Transfer-Encoding: chunked" : "Content-Length: 5"))
    }
}
