import EventLoop
import Foundation
import RequestCore
import RequestFoundation
import TestSupport
import Testing

@Suite("Bridges to Foundation", .enabled(if: NginxServer.isInstalled, "needs nginx"))
struct BridgeTests {
    private let server: NginxServer

    init() throws {
        server = try NginxServer(
            locations: "location /slow { limit_rate 100; return 200 \"\(String(repeating: "x", count: 2000))\"; }",
            documents: ["large": Data(count: 300_000)])
    }

    private func request(_ path: String) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    @Test("notifications have AFNetworking's names and keys")
    func notifications() async throws {
        let center = NotificationCenter()
        let (posted, continuation) = AsyncStream<(String, Bool, Bool)>.makeStream()
        let names: [Notification.Name] = [
            .networkingTaskDidResume, .networkingTaskDidSuspend, .networkingTaskDidComplete,
        ]
        let observers = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let hasMetrics = notification.userInfo?[NetworkingNotificationKey.metrics] is RequestMetrics
                let hasError = notification.userInfo?[NetworkingNotificationKey.error] is RequestError
                continuation.yield((notification.name.rawValue, hasMetrics, hasError))
            }
        }
        defer { for observer in observers { center.removeObserver(observer) } }
        var configuration = SessionConfiguration()
        configuration.monitors = [NotificationMonitor(center: center)]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let task = session.dataTask(try request("/large"))
        task.resume()
        _ = try await task.value
        var iterator = posted.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.0 == "com.alamofire.networking.task.resume")
        let second = await iterator.next()
        #expect(second?.0 == "com.alamofire.networking.task.complete")
        #expect(second?.1 == true)
        #expect(second?.2 == false)
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
        let deadline = ContinuousClock.now + .seconds(20)
        while progress.completedUnitCount < 300_000, ContinuousClock.now < deadline { await Task.yield() }
        #expect(progress.completedUnitCount == 300_000)
        #expect(progress.totalUnitCount == 300_000)
        #expect(progress.fractionCompleted == 1)
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
