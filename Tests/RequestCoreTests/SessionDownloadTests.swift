import EventLoop
import Foundation
import Glibc
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("A download", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
final class SessionDownloadTests {
    let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    let server: NginxServer
    let session: Session
    let folder: URL

    init() throws {
        server = try NginxServer(documents: ["file": content])
        session = try Session(loop: EventLoop())
        folder = FileManager.default.temporaryDirectory.appending(path: "download-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> FilePath { FilePath(folder.path + "/" + name) }

    func download(_ name: String, to target: String, port: Int? = nil) throws -> Download {
        let url = try #require(URL(string: "http://127.0.0.1:\(port ?? server.port)/\(name)"))
        return Download(Request(url: url), to: path(target))
    }

    /// What lies in the folder, hidden files included.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("the whole file is where it belongs, and nothing beside it")
    func whole() async throws {
        let response = try await session.download(download("file", to: "file"))
        #expect(response.path == path("file"))
        #expect(response.response.statusCode == 200)
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        #expect(try files == ["file"])
    }

    @Test("the name of a file may be as long as the file system takes", arguments: ["n", "ü", "👩‍👩‍👧‍👦"])
    func longName(character: String) async throws {
        var name = String(repeating: character, count: 255 / character.utf8.count)
        name += String(repeating: "n", count: 255 - name.utf8.count)
        #expect(try await session.download(download("file", to: name)).path == path(name))
        #expect(try files == [name])
    }

    @Test("the destination may be chosen by the answer's header")
    func chosen() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let base = folder.path
        let response = try await session.download(
            Download(Request(url: url)) { FilePath("\(base)/of-\($0.contentLength ?? 0)") })
        #expect(response.path == path("of-300000"))
    }

    @Test("a file that is there is left alone, unless it is to be replaced")
    func existing() async throws {
        try Data("old".utf8).write(to: folder.appending(path: "file"))
        var download = try download("file", to: "file")
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        #expect(error?.reason == .fileUnwritable(path: "\(path("file"))", call: "rename", .fileExists))
        #expect(try Data(contentsOf: folder.appending(path: "file")) == Data("old".utf8))
        #expect(try files == ["file"])
        download.replacesFile = true
        _ = try await session.download(download)
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
    }

    @Test("folders on the way are made only if asked for")
    func folders() async throws {
        var download = try download("file", to: "a/b/file")
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        guard case .fileUnwritable(_, call: "open", .noSuchFileOrDirectory) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        download.createsFolders = true
        _ = try await session.download(download)
        #expect(try Data(contentsOf: folder.appending(path: "a/b/file")) == content)
    }

    @Test("an error page is no file: its beginning is in the error")
    func missing() async throws {
        let download = try download("missing", to: "file")
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        guard case .unacceptableStatus(404, let body) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(String(decoding: body, as: UTF8.self).contains("404 Not Found"))
        #expect(try files.isEmpty)
    }

    @Test("a file that is longer than the request allows is an error and leaves nothing", .timeLimit(.minutes(1)))
    func tooLong() async throws {
        let endless = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            while connection.send([UInt8](repeating: 120, count: 64 << 10)) {}
        }
        for port in [server.port, endless.port] {
            var download = try download("file", to: "file", port: port)
            download.request.maximumBodySize = content.count - 1
            let error = await #expect(throws: RequestError.self) { try await session.download(download) }
            #expect(error?.reason == .bodyTooLarge(limit: content.count - 1))
            #expect(try files.isEmpty)
        }
        var fitting = try download("file", to: "file")
        fitting.request.maximumBodySize = content.count
        _ = try await session.download(fitting)
        #expect(try files == ["file"])
    }

    @Test("a full disk is an error and leaves nothing", .enabled(if: geteuid() == 0, "needs to mount a file system"))
    func diskFull() async throws {
        #expect(mount("none", folder.path, "tmpfs", 0, "size=128k") == 0)
        defer { umount(folder.path) }
        let download = try download("file", to: "file")
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        guard case .fileUnwritable(_, call: "write", .noSpace) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try files.isEmpty)
    }

    @Test(
        "what came before the disk was full is kept where that is asked for, with room to note where to go on",
        .enabled(if: geteuid() == 0, "needs to mount a file system"))
    func diskFullAndKept() async throws {
        #expect(mount("none", folder.path, "tmpfs", 0, "size=256k") == 0)
        defer { umount(folder.path) }
        var download = try download("file", to: "file")
        download.keepsPartialFile = true
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        guard case .fileUnwritable(_, call: "write", .noSpace) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        let resumeData = try #require(error?.resumeData)
        #expect(resumeData.offset > 0)
        try JSONEncoder().encode(resumeData).write(to: folder.appending(path: "note"), options: .atomic)
        #expect(mount("none", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=1m") == 0)
        download.resumeData = resumeData
        let response = try await session.download(download)
        #expect(response.response.statusCode == 206)
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        #expect(try files == ["file", "note"])
    }

    @Test("a file system that may not be written to is an error", .enabled(if: geteuid() == 0, "needs to mount"))
    func readOnly() async throws {
        #expect(mount("none", folder.path, "tmpfs", UInt(MS_RDONLY), nil) == 0)
        defer { umount(folder.path) }
        let download = try download("file", to: "file")
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        guard case .fileUnwritable(_, call: "open", .readOnlyFileSystem) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a folder that nobody may write to is an error that says so")
    func notPermitted() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let error = await #expect(throws: RequestError.self) {
            try await session.download(Download(Request(url: url), to: "/sys/file"))
        }
        guard case .fileUnwritable(let path, call: "open", let errno)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasPrefix("/sys/.file"))
        #expect([Errno.permissionDenied, .readOnlyFileSystem, .notPermitted].contains(errno))
    }

    /// Serves the content, breaks off the first answer in the middle, and honours ranges of the present tag.
    func flakyServer(tags: [String], ignoresRange: Bool = false) throws -> SocketServer {
        let content = content
        let count = Counter()
        return try SocketServer { connection in
            let request = connection.readRequest()
            let number = count.next()
            let tag = tags[min(number, tags.count - 1)]
            var start = 0
            if !ignoresRange, request.contains("If-Range: \"\(tag)\""),
                let range = request.split(separator: "Range: bytes=").last?.prefix(while: \.isNumber)
            {
                start = Int(range) ?? 0
            }
            let rest = content.dropFirst(start)
            connection.send(
                "HTTP/1.1 \(start > 0 ? 206 : 200) X\r\nConnection: close\r\nETag: \"\(tag)\"\r\nContent-Length: \(rest.count)\r\n"
                    + "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n\r\n")
            connection.send(Array(number == 0 ? rest.prefix(100_000) : rest))
        }
    }

    @Test("what has come of a broken download is resumed, and the whole is right", arguments: [true, false])
    func resume(isUnchanged: Bool) async throws {
        let server = try flakyServer(tags: isUnchanged ? ["a"] : ["a", "b"])
        var download = try download("file", to: "file", port: server.port)
        download.keepsPartialFile = true
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        let resumeData = try #require(error?.resumeData)
        #expect(resumeData.offset == 100_000)
        #expect(try files.count == 1)
        download.resumeData = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(resumeData))
        let response = try await session.download(download)
        #expect(response.response.statusCode == (isUnchanged ? 206 : 200))
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        #expect(try files == ["file"])
    }

    @Test(
        "a retry goes on where the download broke off, to the same destination, unless the file is another by now",
        .timeLimit(.minutes(1)), arguments: [true, false])
    func triedAgain(isUnchanged: Bool) async throws {
        let server = try flakyServer(tags: isUnchanged ? ["a"] : ["a", "b"])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
        let base = folder.path
        var download = Download(Request(url: url)) { FilePath("\(base)/of-\($0.contentLength ?? 0)") }
        download.request.interceptors = [Attempts(retriers: [RetryPolicy { $0.backoff.base = .zero }])]
        let response = try await session.download(download)
        #expect(response.response.statusCode == (isUnchanged ? 206 : 200))
        #expect(try Data(contentsOf: folder.appending(path: "of-300000")) == content)
        #expect(try files == ["of-300000"])
    }

    @Test("what has come is removed where nobody asked to keep it")
    func notKept() async throws {
        let server = try flakyServer(tags: ["a"])
        let download = try download("file", to: "file", port: server.port)
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        #expect(error?.resumeData == nil)
        #expect(error?.reason == .connectionLost(received: 100_000, nil))
        #expect(try files.isEmpty)
    }

    @Test("resuming from nginx asks for the rest alone")
    func nginx() async throws {
        let part = folder.appending(path: ".file.1.part")
        try content.prefix(200_000).write(to: part)
        let head = try await session.response(for: download("file", to: "file").request)
        let validator = try #require(head.headers["ETag"])
        var download = try download("file", to: "file")
        let json = """
            {"url":"\(download.request.url)","partialFile":"\(part.path)","offset":200000,
             "validator":"\(validator.replacing("\"", with: "\\\""))"}
            """
        download.resumeData = try JSONDecoder().decode(ResumeData.self, from: Data(json.utf8))
        let task = session.downloadTask(download)
        let progress = task.downloadProgress
        task.resume()
        let response = try await task.value
        #expect(response.response.statusCode == 206)
        #expect(response.response.headers["Content-Length"] == "100000")
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        for await last in progress where last.fraction == 1 {
            #expect(last.completed == 300_000)
        }
    }

    @Test("a file that is longer than what the server has is fetched from the beginning")
    func unsatisfiable() async throws {
        let part = folder.appending(path: ".file.1.part")
        try Data(count: 400_000).write(to: part)
        let validator = try #require(
            try await session.response(for: download("file", to: "file").request).headers["ETag"])
        var download = try download("file", to: "file")
        let json = """
            {"url":"\(download.request.url)","partialFile":"\(part.path)","offset":400000,
             "validator":"\(validator.replacing("\"", with: "\\\""))"}
            """
        download.resumeData = try JSONDecoder().decode(ResumeData.self, from: Data(json.utf8))
        _ = try await session.download(download)
        #expect(try Data(contentsOf: folder.appending(path: "file")) == content)
        #expect(try files == ["file"])
    }
}

final class Counter: Sendable {
    private let count = Mutex(0)

    /// How often it was asked for the next.
    var value: Int { count.withLock { $0 } }

    /// 0, 1, 2 …
    @discardableResult
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
