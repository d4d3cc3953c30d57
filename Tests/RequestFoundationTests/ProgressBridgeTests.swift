import EventLoop
import Foundation
import Glibc
import RequestCore
import RequestFoundation
import Synchronization
import TestSupport
import Testing

@Suite("Progress of Foundation", .enabled(if: NginxServer.isInstalled, "needs nginx"))
struct ProgressBridgeTests {
    private let server: NginxServer

    init() throws {
        server = try NginxServer(
            locations: """
                client_max_body_size 10m;
                location /slow { limit_rate 100; return 200 "\(String(repeating: "x", count: 2000))"; }
                location /sink { dav_methods PUT; create_full_put_path on; }
                """,
            documents: ["large": Data(count: 300_000)])
    }

    private func request(_ path: String) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    @Test("a progress follows the bytes to the end")
    func progress() async throws {
        let session = try Session(loop: EventLoop())
        let task = session.dataTask(try request("/large"))
        let progress = task.foundationDownloadProgress()
        #expect(progress.totalUnitCount == -1)
        #expect(progress.fractionCompleted == 0)
        task.resume()
        _ = try await task.value
        try await reaches(300_000, progress)
        #expect(progress.totalUnitCount == 300_000)
        #expect(progress.fractionCompleted == 1)
    }

    @Test("a progress follows a body that is sent")
    func uploadProgress() async throws {
        let session = try Session(loop: EventLoop())
        var put = try request("/sink/\(UUID())")
        put.method = .put
        let task = session.uploadTask(put, from: .data(Data(count: 2_000_000)))
        let progress = task.foundationUploadProgress()
        #expect(progress.totalUnitCount == -1)
        task.resume()
        #expect(try await task.value.statusCode == 201)
        try await reaches(2_000_000, progress)
        #expect(progress.totalUnitCount == 2_000_000)
        #expect(progress.fractionCompleted == 1)
    }

    @Test("pausing and resuming a progress does so to its task")
    func pausedProgress() async throws {
        let session = try Session(loop: EventLoop())
        let mayEnd = Mutex(false)
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            while !mayEnd.withLock({ $0 }) { usleep(2000) }
            connection.send("k")
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let task = session.dataTask(Request(url: url))
        let progress = task.foundationDownloadProgress()
        task.resume()
        progress.pause()
        try await becomes(.suspended, task)
        progress.resume()
        try await becomes(.running, task)
        mayEnd.withLock { $0 = true }
        #expect(try await task.value.body == Data("ok".utf8))
    }

    @Test(
        "a progress keeps no task that was not started, and a task that runs needs nobody to keep it",
        .timeLimit(.minutes(1)))
    func weakProgress() async throws {
        let session = try Session(loop: EventLoop())
        func unkept(isStarted: Bool) throws -> Progress {
            let task = session.dataTask(try request("/large"))
            if isStarted { task.resume() }
            return task.foundationDownloadProgress()
        }
        let abandoned = try unkept(isStarted: false)
        #expect(session.tasks.isEmpty)
        abandoned.cancel()
        try await reaches(300_000, unkept(isStarted: true))
    }

    @Test("the progress of a task that nobody keeps comes to its end", .timeLimit(.minutes(1)))
    func abandonedProgress() async throws {
        let session = try Session(loop: EventLoop())
        func unkept() throws -> AsyncStream<TransferProgress> {
            session.dataTask(try request("/large")).downloadProgress
        }
        var count = 0
        for await _ in try unkept() { count += 1 }
        #expect(count == 0)
    }

    /// Foundation calls a progress's handlers a little later.
    private func becomes(_ state: TaskState, _ task: DataTask) async throws {
        try await expectSoon("\(state)") { task.state == state }
    }

    /// Waits until the progress has come that far; it is told after the task is over.
    private func reaches(_ count: Int64, _ progress: Progress) async throws {
        try await expectSoon("\(count) bytes") { progress.completedUnitCount >= count }
        #expect(progress.completedUnitCount == count)
    }

    @Test("cancelling a progress cancels its task")
    func cancelledProgress() async throws {
        let session = try Session(loop: EventLoop())
        let task = session.dataTask(try request("/slow"))
        let progress = task.foundationDownloadProgress()
        task.resume()
        progress.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }
}
