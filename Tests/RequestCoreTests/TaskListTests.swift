import EventLoop
import Foundation
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("The tasks of a session")
struct TaskListTests {
    private let session: Session
    private let url: URL
    private let server: SocketServer

    init() throws {
        // The server never answers, which must not show however long a busy host takes.
        var configuration = SessionConfiguration()
        configuration.timeouts = Timeouts()
        session = try Session(configuration: configuration, loop: EventLoop())
        server = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    }

    @Test("they are listed by kind, suspended ones too, until they are over")
    func lists() async throws {
        let data = [session.dataTask(Request(url: url)), session.dataTask(Request(url: url))]
        var put = Request(url: url, method: .put)
        put.priority = 0.9
        let upload = session.uploadTask(put, from: .data(Data("x".utf8)))
        let download = session.downloadTask(Download(Request(url: url), to: "/nowhere/file"))
        #expect(session.dataTasks.map(\.id) == data.map(\.id))
        #expect(session.uploadTasks.map(\.id) == [upload.id])
        #expect(session.downloadTasks.map(\.id) == [download.id])
        #expect(session.tasks.map(\.id) == data.map(\.id) + [upload.id, download.id])
        #expect(session.tasks.allSatisfy { $0.state == .suspended })
        #expect(session.tasks.map(\.priority) == [0.5, 0.5, 0.9, 0.5])
        data[0].resume()
        #expect(session.tasks.filter { $0.state == .running }.map(\.id) == [data[0].id])
        for task in session.tasks where task.kind == .data { task.cancel() }
        for task in data { await #expect(throws: RequestError.self) { try await task.value } }
        #expect(session.tasks.map(\.kind) == [.upload, .download])
    }

    @Test("a session does not keep tasks that nobody holds")
    func unheld() {
        _ = session.dataTask(Request(url: url))
        #expect(session.tasks.isEmpty)
    }

    @Test("those of one method and path can be cancelled, and the others go on")
    func cancelSome() async throws {
        let one = session.dataTask(Request(url: url.appending(path: "one")))
        let other = session.dataTask(Request(url: url.appending(path: "other")))
        one.resume()
        other.resume()
        for task in session.tasks where task.request.method == .get && task.request.url.path == "/one" {
            task.cancel()
        }
        let error = await #expect(throws: RequestError.self) { try await one.value }
        #expect(error?.reason == .cancelled)
        #expect(session.dataTasks.map(\.id) == [other.id])
        #expect(other.state == .running)
        other.cancel()
    }

    @Test("a download has one beginning and one end, also where the rest is not to be had")
    func downloadEvents() async throws {
        let asked = Mutex(0)
        let server = try SocketServer { connection in
            let header = connection.readRequest()
            asked.withLock { $0 += 1 }
            let isRange = header.contains("Range: bytes=5-")
            connection.send(
                isRange
                    ? "HTTP/1.1 416 X\r\nContent-Length: 0\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let stream = EventStream()
        var configuration = SessionConfiguration.default
        configuration.monitors = [stream]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let path = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        var download = Download(Request(url: url), to: FilePath(path))
        let left = #"{"url":"\#(url)","partialFile":"\#(path).part","offset":5,"validator":"x"}"#
        download.resumeData = try JSONDecoder().decode(ResumeData.self, from: Data(left.utf8))
        _ = try await session.download(download)
        var steps: [String] = []
        for await event in stream.events {
            switch event.kind {
            case .resumed: steps.append("resumed")
            case .requested: steps.append("requested")
            case .answered(let response): steps.append("answered \(response.statusCode)")
            case .saved(let file): steps.append("saved \(file == FilePath(path))")
            case .completed: steps.append("completed")
            default: break
            }
            if case .completed = event.kind { break }
        }
        #expect(steps == ["resumed", "requested", "requested", "answered 200", "saved true", "completed"])
        #expect(asked.withLock { $0 } == 2)
    }
}
