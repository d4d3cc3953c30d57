import EventLoop
import Foundation
import Glibc
import RequestCore
import SystemPackage
import TestSupport
import Testing

/// What lies where a file was named. None of them may hold anything up: a FIFO waits for its other end when it is opened.
enum NoFile: String, CaseIterable, CustomTestStringConvertible {
    case fifo
    case socket
    case device

    var testDescription: String { "a \(rawValue)" }

    func make(in folder: TemporaryFolder) throws -> String {
        let path = folder.path.appending(rawValue).string
        switch self {
        case .fifo: guard mkfifo(path, 0o600) == 0 else { throw Errno(rawValue: errno) }
        case .socket: _ = try SocketServer(unixSocket: path) { _ in }
        case .device: return "/dev/zero"
        }
        return path
    }
}

@Suite("What is no file, where a file is named", .timeLimit(.minutes(1)))
struct NamedFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func answering(_ body: String = "ok") throws -> SocketServer {
        try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    private func url(_ server: SocketServer) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    }

    @Test("a body is refused, and the loop goes on", arguments: NoFile.allCases)
    func body(kind: NoFile) async throws {
        let server = try answering()
        let session = try Session(loop: EventLoop())
        let path = try kind.make(in: folder)
        let request = Request(url: try url(server), method: .post, body: .file(path: path))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .bodyUnreadable(path: path, .invalidArgument))
        #expect(error?.description.hasSuffix("for sending: it is no file but a pipe, a device or a socket") == true)
        #expect(try await session.response(for: Request(url: url(server))).statusCode == 200)
    }

    @Test("a folder as a body is refused as a folder")
    func folderAsBody() async throws {
        let session = try Session(loop: EventLoop())
        let request = Request(
            url: try #require(URL(string: "http://127.0.0.1:1/")), method: .put, body: .file(path: folder.path.string))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .bodyUnreadable(path: folder.path.string, .isDirectory))
    }

    @Test("a file that becomes a pipe between being added to a form and being sent is refused")
    func part() async throws {
        let server = try answering()
        let session = try Session(loop: EventLoop())
        let path = try folder.write(Array("text".utf8), to: "part")
        var form = MultipartFormData()
        try form.append(file: path, name: "part")
        try FileManager.default.removeItem(atPath: path.string)
        #expect(mkfifo(path.string, 0o600) == 0)
        let request = try Request(url: url(server), method: .post).carrying(form)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .invalidBody(.notAFile(path: path)))
    }

    @Test(
        "authorities, a client's certificate, its key and a PKCS#12 container are refused", arguments: NoFile.allCases)
    func security(kind: NoFile) throws {
        let path = try kind.make(in: folder)
        let refusal = SecurityError.unreadable(path: path, .invalidArgument)
        #expect(throws: refusal) { try TrustEvaluator(SecurityPolicy(anchors: .file(path))) }
        #expect(throws: refusal) { try ClientIdentity(certificate: path, privateKey: path) }
        #expect(throws: refusal) { try ClientIdentity(pkcs12: path, passphrase: "") }
        #expect(refusal.description == "\(path) cannot be read: it is no file but a pipe, a device or a socket")
    }

    @Test("the authorities of a proxy are refused, and the loop goes on", arguments: NoFile.allCases)
    func proxyAuthorities(kind: NoFile) async throws {
        let server = try answering()
        let path = try kind.make(in: folder)
        var proxy = Proxy(.https, host: "127.0.0.1", port: server.port)
        proxy.authorities = path
        var request = Request(url: try url(server))
        request.proxy = .proxy(proxy)
        let session = try Session(loop: EventLoop())
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .security(.unreadable(path: path, .invalidArgument)))
        #expect(try await session.response(for: Request(url: url(server))).statusCode == 200)
    }

    @Test(
        "a file of cookies is refused when the session is made, and is left as it is",
        arguments: [NoFile.fifo, .socket])
    func cookies(kind: NoFile) throws {
        let path = try kind.make(in: folder)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        var configuration = SessionConfiguration()
        configuration.cookies = .file(path: path)
        let error = #expect(throws: RequestError.self) {
            try Session(configuration: configuration, loop: EventLoop())
        }
        #expect(error?.reason == .cookieFile(path: path, call: "read", .invalidArgument))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == before)
    }

    /// Sets fifty cookies more with each answer, or with what comes before it.
    ///
    /// - Parameter first: A line that sets one that is the same with each.
    private func settingCookies(before: Bool = false, first: String = "") throws -> SocketServer {
        let count = Counter()
        return try SocketServer { connection in
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                let number = count.next()
                let fields =
                    first + (0..<50).map { "Set-Cookie: c\(number)x\($0)=\(number); Max-Age=3600\r\n" }.joined()
                let hints = before ? "HTTP/1.1 103 Early Hints\r\n\(fields)\r\n" : ""
                let others = before ? "" : fields
                connection.send("\(hints)HTTP/1.1 200 OK\r\n\(others)Content-Length: 0\r\n\r\n")
            }
        }
    }

    @Test("of a host that sets cookies without end no more are written than can be read again")
    func endlessCookies() async throws {
        let server = try settingCookies()
        let path = folder.path.appending("many-cookies").string
        var configuration = SessionConfiguration()
        configuration.cookies = .file(path: path)
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        for _ in 0..<6 { _ = try await session.response(for: Request(url: url)) }
        try await session.saveCookies()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("127.0.0.1") }.count == 150)
        #expect(text.contains("\tc5x49\t") && !text.contains("\tc2x"))
    }

    @Test("a cookie that is set anew is written down, be it among more than are kept")
    func cookieSetAnew() async throws {
        let server = try settingCookies(first: "Set-Cookie: sid=mine; Max-Age=3600\r\n")
        let path = folder.path.appending("renewed-cookies").string
        var configuration = SessionConfiguration()
        configuration.cookies = .file(path: path)
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try url(server)
        for _ in 0..<6 { _ = try await session.response(for: Request(url: url)) }
        try await session.saveCookies()
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\tsid\tmine"))
    }

    @Test(
        "of a host that sets cookies without end no more stay in memory either, and the latest do",
        arguments: [false, true])
    func endlessCookiesInMemory(before: Bool) async throws {
        let server = try settingCookies(before: before)
        var configuration = SessionConfiguration()
        configuration.cookies = .memory
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try url(server)
        for _ in 0..<32 { _ = try await session.response(for: Request(url: url)) }
        let cookies = await session.cookies
        #expect(cookies.count == 150)
        #expect(cookies.contains { $0.contains("\tc31x49\t") } && !cookies.contains { $0.contains("\tc28x") })
    }

    @Test("cookies that could not be read are not overwritten")
    func unreadCookies() throws {
        let path = try folder.write(Data(repeating: 0x41, count: 17 << 20), to: "cookies").string
        var configuration = SessionConfiguration()
        configuration.cookies = .file(path: path)
        #expect(throws: RequestError.self) { try Session(configuration: configuration, loop: EventLoop()) }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 17 << 20)
    }

    @Test("a cache's folder is refused", arguments: NoFile.allCases)
    func cacheFolder(kind: NoFile) throws {
        let path = try kind.make(in: folder)
        #expect(throws: DiskCache.Unusable.self) { try DiskCache(path: path) }
    }

    /// Not a device: those lie elsewhere.
    @Test("the beginning of a download is refused where a pipe lies in its place", arguments: [NoFile.fifo, .socket])
    func partialFile(kind: NoFile) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 206 Partial Content\r\nConnection: close\r\nETag: \"v1\"\r\nContent-Range: bytes 5-9/10\r\n"
                    + "Content-Length: 5\r\n\r\n56789")
        }
        let path = folder.path.appending(".file.1.part").string
        try FileManager.default.moveItem(atPath: kind.make(in: folder), toPath: path)
        let url = try url(server)
        var download = Download(Request(url: url), to: folder.path.appending("file"))
        download.resumeData = try JSONDecoder().decode(
            ResumeData.self,
            from: JSONSerialization.data(withJSONObject: [
                "url": url.absoluteString, "partialFile": path, "offset": 5, "validator": "\"v1\"",
            ]))
        let session = try Session(loop: EventLoop())
        let wanted = download
        let error = await #expect(throws: RequestError.self) { try await session.download(wanted) }
        #expect(error?.reason == .fileUnwritable(path: path, call: "open", .invalidArgument))
    }

    /// Not a device of the host's: where this fails, its name is taken from it.
    @Test(
        "nothing that is no file loses its name to a download or a form, also where a link leads to it",
        arguments: [NoFile.fifo, .socket], [true, false])
    func replaced(kind: NoFile, isLink: Bool) async throws {
        let server = try answering()
        var path = try kind.make(in: folder)
        if isLink {
            let link = folder.path.appending("link").string
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            path = link
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path.string).sorted()
        var download = Download(Request(url: try url(server)), to: path)
        download.replacesFile = true
        let session = try Session(loop: EventLoop())
        let wanted = download
        let error = await #expect(throws: RequestError.self) { try await session.download(wanted) }
        #expect(error?.reason == .fileUnwritable(path: path, call: "rename", .invalidArgument))
        var form = MultipartFormData()
        try form.append(Data("x".utf8), name: "x")
        let filled = form
        let refusal = await #expect(throws: MultipartError.self) { try await filled.write(to: path) }
        #expect(refusal == .notAFile(path: FilePath(path)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string).sorted() == names)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG)
    }

    @Test("a file that shrinks while it is sent fails at once")
    func shrinking() async throws {
        let path = folder.path.appending("large").string
        #expect(creat(path, 0o600).closed)
        #expect(truncate(path, 64 << 20) == 0)
        let server = try SocketServer { connection in
            connection.readRequest()
            truncate(path, 1 << 20)
            connection.waitForEnd()
        }
        var request = Request(url: try url(server), method: .put, body: .file(path: path))
        request.timeouts.idle = .seconds(30)
        let session = try Session(loop: EventLoop())
        let wanted = request
        let error = await #expect(throws: RequestError.self) { try await session.response(for: wanted) }
        guard case .bodyFailed(let explanation)? = error?.reason else { throw SessionFailureTests.Unexpected(error) }
        #expect(explanation.hasPrefix("\(path) became ") && explanation.hasSuffix(" bytes shorter meanwhile"))
        #expect((error?.metrics.duration ?? .zero) < .seconds(10))
    }

    @Test("what is added to a file while it is sent is not sent")
    func growing() async throws {
        let path = try folder.write(Array("12345".utf8), to: "log").string
        let server = try SocketServer { connection in
            let header = connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(header.utf8.count)\r\n\r\n" + header)
        }
        let session = try Session(loop: EventLoop())
        let request = Request(url: try url(server), method: .put, body: .file(path: path))
        let echo = try await session.response(for: request)
        #expect(String(decoding: echo.body, as: UTF8.self).contains("Content-Length: 5\r\n"))
    }
}

extension CInt {
    /// Closes this descriptor; whether it was one.
    fileprivate var closed: Bool { self >= 0 && close(self) == 0 }
}
