import EventLoop
import Foundation
import RequestCore
import RequestFoundation
import SystemPackage
import TestSupport
import Testing

@Suite("Notifications", .enabled(if: NginxServer.isInstalled, "needs nginx"))
final class NotificationTests {
    private let server: NginxServer
    private let center = NotificationCenter()
    private let posted: AsyncStream<Posted>
    private let session: Session
    private let folder: String
    private var observers: [any NSObjectProtocol] = []

    /// A notification, as far as it can be sent from thread to thread.
    private struct Posted: Sendable {
        let name: String
        let task: TaskID?
        let isAboutSession: Bool
        let keys: [String]
        let error: (any Error)?
        let value: (any Sendable)?
        let asset: URL?
        let data: Data?

        init(_ notification: Notification) {
            let info = notification.userInfo ?? [:]
            name = notification.name.rawValue
            task = notification.object as? TaskID
            isAboutSession = notification.object is Session
            keys = info.keys.compactMap { $0 as? String }.sorted()
            error = info[NetworkingNotificationKey.error] as? any Error
            value = info[NetworkingNotificationKey.serializedResponse] as? JSONValue
            asset = info[NetworkingNotificationKey.assetPath] as? URL
            data = info[NetworkingNotificationKey.responseData] as? Data
        }
    }

    init() throws {
        server = try NginxServer(
            locations: #"""
                location /json { default_type application/json; return 200 '{"a":1}'; }
                location /slow { limit_rate 10; return 200 "twenty bytes, or two s"; }
                """#,
            documents: ["file": Data(count: 1000)])
        folder = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = SessionConfiguration()
        configuration.monitors = [NotificationMonitor(center: center)]
        session = try Session(configuration: configuration, loop: EventLoop())
        let (posted, continuation) = AsyncStream<Posted>.makeStream()
        self.posted = posted
        let names: [Notification.Name] = [
            .networkingTaskDidResume, .networkingTaskDidSuspend, .networkingTaskDidComplete,
            .networkingSessionDidInvalidate, .networkingDownloadDidMoveFile, .networkingDownloadDidFailToMoveFile,
        ]
        observers = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { continuation.yield(Posted($0)) }
        }
    }

    deinit {
        for observer in observers { center.removeObserver(observer) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func request(_ path: String) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
    }

    private func next(_ count: Int) async -> [Posted] {
        var found: [Posted] = []
        for await notification in posted {
            found.append(notification)
            if found.count == count { break }
        }
        return found
    }

    @Test("a task without a serializer: its start, and its end with the body and what was measured")
    func dataTask() async throws {
        let task = session.dataTask(try request("/file"))
        task.resume()
        _ = try await task.value
        let found = await next(2)
        #expect(
            found.map(\.name) == ["com.alamofire.networking.task.resume", "com.alamofire.networking.task.complete"])
        #expect(found.map(\.task) == [task.id, task.id])
        #expect(
            found[1].keys == [
                "com.alamofire.networking.complete.finish.responsedata",
                "com.alamofire.networking.complete.sessiontaskmetrics",
            ])
        #expect(found[1].data?.count == 1000)
    }

    @Test("one monitor of two sessions keeps their tasks apart")
    func twoSessions() async throws {
        let other = try Session(configuration: session.configuration, loop: session.loop)
        let (slow, quick) = (session.dataTask(try request("/slow")), other.dataTask(try request("/file")))
        slow.resume()
        quick.resume()
        _ = try await quick.value
        slow.cancel()
        let ends = await next(4).filter { $0.name == "com.alamofire.networking.task.complete" }
        #expect(Set(ends.map(\.task)) == [slow.id, quick.id])
        #expect(ends.first { $0.task == quick.id }?.data?.count == 1000)
        #expect(ends.first { $0.task == slow.id }?.data?.count != 1000)
    }

    @Test("an answer that was read: the serializer and the value")
    func serialized() async throws {
        _ = try await HTTPSession(session: session).get(
            "http://127.0.0.1:\(server.port)/json", as: JSONResponseSerializer())
        let end = await next(2)[1]
        #expect(
            end.keys == [
                "com.alamofire.networking.complete.finish.responsedata",
                "com.alamofire.networking.complete.sessiontaskmetrics",
                "com.alamofire.networking.task.complete.responseserializer",
                "com.alamofire.networking.task.complete.serializedresponse",
            ])
        #expect(end.value as? JSONValue == ["a": 1])
    }

    @Test("an answer that is not acceptable: the serializer's error")
    func refused() async throws {
        await #expect(throws: HTTPSessionError.self) {
            try await HTTPSession(session: session).get(
                "http://127.0.0.1:\(server.port)/missing", as: HTTPResponseSerializer())
        }
        let end = await next(2)[1]
        let error = try #require(end.error as? ResponseSerializationError)
        #expect(error.response.statusCode == 404)
        #expect(end.keys.contains("com.alamofire.networking.task.complete.error"))
    }

    @Test("a download: the move, and the place of the file")
    func download() async throws {
        let path = folder + "/file"
        _ = try await session.download(Download(request("/file")) { _ in FilePath(path) })
        let found = await next(3)
        #expect(found[1].name == "com.alamofire.networking.session.download.file-manager-succeed")
        #expect(found[2].name == "com.alamofire.networking.task.complete")
        #expect(found[2].asset?.path == path)
        #expect(found[2].data == nil)
        #expect(found[2].keys.contains("com.alamofire.networking.task.complete.assetpath"))
    }

    @Test("a download that cannot be put in its place: why not, and the end with the same error")
    func failedMove() async throws {
        let path = folder + "/there"
        try Data().write(to: URL(filePath: path))
        await #expect(throws: RequestError.self) {
            try await session.download(Download(request("/file")) { _ in FilePath(path) })
        }
        let found = await next(3)
        #expect(found[1].name == "com.alamofire.networking.session.download.file-manager-error")
        for notification in found[1...] {
            let error = try #require(notification.error as? RequestError)
            #expect(error.reason == .fileUnwritable(path: path, call: "rename", .fileExists))
        }
    }

    @Test("nothing is kept of a task that is over, though more is told of its transfer")
    func lateEvents() async throws {
        /// Leaves its transfer to itself.
        struct Leaving: Interceptor {
            let ended: AsyncStream<Void>.Continuation

            func respond(
                to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
            ) async throws(RequestError) -> Response {
                Task {
                    _ = try? await next(exchange)
                    ended.finish()
                }
                throw RequestError(.cancelled)
            }
        }
        let monitor = NotificationMonitor(center: NotificationCenter())
        var configuration = SessionConfiguration()
        configuration.monitors = [monitor]
        let (end, ended) = AsyncStream<Void>.makeStream()
        configuration.interceptors = [Leaving(ended: ended)]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = try request("/slow")
        await #expect(throws: RequestError.self) { try await session.response(for: request) }
        for await _ in end {}
        #expect(monitor.knownCount == 0)
    }

    @Test("an invalidated session is told of once, after its last task")
    func invalidation() async throws {
        let task = session.dataTask(try request("/file"))
        task.resume()
        _ = try await task.value
        await session.finishAndInvalidate()
        await session.invalidateAndCancel()
        let after = session.dataTask(try request("/file"))
        after.resume()
        await #expect(throws: RequestError.self) { try await after.value }
        let found = await next(5)
        #expect(
            found.map { String($0.name.dropFirst("com.alamofire.networking.".count)) } == [
                "task.resume", "task.complete", "session.invalidate", "task.resume", "task.complete",
            ])
        #expect(found[2].isAboutSession)
    }
}
