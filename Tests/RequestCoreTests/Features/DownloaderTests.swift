import EventLoop
import Foundation
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("The downloader", .enabled(if: NginxServer.isInstalled, "needs nginx"), .timeLimit(.minutes(10)))
struct DownloaderTests {
    private let server: NginxServer
    private let session: Session
    private let downloader: Downloader<String>

    init() throws {
        server = try NginxServer(
            locations: """
                location /quick { return 200 $request_id; }
                location /slow { limit_rate 400; return 200 "\(String(repeating: "x", count: 600))"; }
                """)
        session = try Session(loop: EventLoop())
        downloader = Downloader(session: HTTPSession(session: session), serializer: StringResponseSerializer())
    }

    private func request(_ path: String) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    @Test("twenty who want the same share one transfer and its answer, and memory has it afterwards")
    func merging() async throws {
        let request = try request("/slow")
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await downloader.answer(to: request).value } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 20)
        #expect(Set(answers).count == 1)
        _ = try await downloader.answer(to: request)
        #expect(try await server.logged(1, containing: "/slow") == 1)
    }

    @Test("a request that reloads passes memory by")
    func reload() async throws {
        var request = try request("/quick")
        let first = try await downloader.answer(to: request).value
        #expect(try await downloader.answer(to: request).value == first)
        request.cachePolicy = .reload
        #expect(try await downloader.answer(to: request).value != first)
        await downloader.removeCachedAnswers()
        request.cachePolicy = .standard
        #expect(try await downloader.answer(to: request).value != first)
    }

    @Test("one who gives up leaves the others")
    func cancelOne() async throws {
        let request = try request("/slow")
        let staying = Task { try await downloader.answer(to: request).value }
        let leaving = Task { try await downloader.answer(to: request).value }
        leaving.cancel()
        let error = await #expect(throws: HTTPSessionError.self) { try await leaving.value }
        guard case .transfer(let transfer) = error else {
            Issue.record()
            return
        }
        #expect(transfer.reason == .cancelled)
        #expect(try await staying.value?.count == 600)
    }

    @Test("one who gives up as the request begins gets away, at whatever moment")
    func cancelledAtOnce() async throws {
        let silent = try SocketServer { connection in _ = connection.readRequest() + connection.readRequest() }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/")))
        let ended = Counter()
        var generator = SeededGenerator(seed: 1)
        for number in 1...2_000 {
            let task = Task.detached { [downloader] in
                _ = try? await downloader.answer(to: request)
                ended.next()
            }
            let end = MonotonicTime.now.advanced(by: .nanoseconds(Int.random(in: 0..<100_000, using: &generator)))
            while MonotonicTime.now < end {}
            task.cancel()
            guard number.isMultiple(of: 100) else { continue }
            try await expectSoon("the end of \(number)") { ended.value == number }
        }
        #expect(await downloader.activeCount == 0)
    }

    @Test("never more than four run")
    func limit() async throws {
        let (gate, opener) = try FileDescriptor.pipe()
        let running = Mutex((now: 0, most: 0))
        // All are answered once the gate is open, none before.
        let server = try SocketServer { connection in
            connection.readRequest()
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { _ = try? gate.read(into: $0) }
            running.withLock { $0.now -= 1 }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        let answers = try (0..<10).map { number in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/\(number)"))
            return Task { try await downloader.answer(to: Request(url: url)).value }
        }
        try await expectSoon { running.withLock { $0.most >= 4 } }
        #expect(await downloader.activeCount == 4)
        try opener.close()
        for answer in answers { #expect(try await answer.value == "ok") }
        #expect(running.withLock { $0.most } == 4)
        #expect(await downloader.activeCount == 0)
        try gate.close()
    }

    @Test("an error goes to all who wait, and is not kept")
    func failure() async throws {
        let request = try request("/missing")
        await #expect(throws: HTTPSessionError.self) { try await downloader.answer(to: request) }
        await #expect(throws: HTTPSessionError.self) { try await downloader.answer(to: request) }
        #expect(try await server.logged(2, containing: "/missing") == 2)
    }

    @Test("the activity of a session shows once and hides once")
    func activity() async throws {
        let loop = try EventLoop()
        let (changes, continuation) = AsyncStream<Bool>.makeStream()
        var indicator = ActivityIndicator()
        indicator.activationDelay = .milliseconds(100)
        indicator.completionDelay = .milliseconds(50)
        let monitor = ActivityMonitor(loop: loop, indicator: indicator) { continuation.yield($0) }
        var configuration = SessionConfiguration()
        configuration.monitors = [monitor]
        let session = try Session(configuration: configuration, loop: loop)
        let tasks = try (0..<3).map { _ in session.dataTask(try request("/slow")) }
        for task in tasks { task.resume() }
        for task in tasks { _ = try await task.value }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == true)
        #expect(await iterator.next() == false)
        #expect(monitor.count == 0)
    }
}
