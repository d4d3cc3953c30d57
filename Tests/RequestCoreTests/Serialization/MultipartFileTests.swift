import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Files in multipart bodies")
struct MultipartFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "a file has the name and the type of its path",
        arguments: [
            ("adn_0.cer", "application/x-x509-ca-cert"), ("a.PNG", "image/png"), ("b.tar.gz", "application/gzip"),
            ("c.unheard-of", "application/octet-stream"), ("noextension", "application/octet-stream"),
        ])
    func nameAndType(name: String, type: String) throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(file: try folder.write([1, 2, 3], to: name), name: "test")
        let header =
            "Content-Disposition: form-data; name=\"test\"; filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\n"
        #expect(try form.content() == Data("--B\r\n\(header)\u{1}\u{2}\u{3}\r\n--B--\r\n".utf8))
    }

    @Test("what is no readable file is refused when it is added")
    func unreadable() throws {
        var form = MultipartFormData()
        let missing = folder.path.appending("missing")
        #expect(throws: MultipartError.file(path: missing, call: "stat", .noSuchFileOrDirectory)) {
            try form.append(file: missing, name: "a")
        }
        #expect(throws: MultipartError.notAFile(path: folder.path)) { try form.append(file: folder.path, name: "a") }
        try Command.run(["mkfifo", folder.path.appending("fifo").string])
        #expect(throws: MultipartError.notAFile(path: folder.path.appending("fifo"))) {
            try form.append(file: folder.path.appending("fifo"), name: "a")
        }
    }

    @Test(
        "a file of the kernel's, which has no size before it is read, is a part with its content",
        arguments: [("/proc/self/status", "VmRSS"), ("/sys/class/net/lo/mtu", "\r\n65536\n\r\n")])
    func fileWithoutSize(path: String, text: String) throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(file: path, name: "f")
        let content = try form.content()
        #expect(Int64(content.count) == (try form.contentLength))
        #expect(String(decoding: content, as: UTF8.self).contains(text))
    }

    @Test("the whole body may be written to a file with as long a name as the file system takes")
    func longName() async throws {
        var form = MultipartFormData()
        try form.append(Data("a".utf8), name: "a")
        let name = String(repeating: "n", count: 255)
        try await form.write(to: folder.path.appending(name))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == [name])
    }

    @Test("a file that has gone, grown or shrunk since is noticed")
    func changed() throws {
        var form = try MultipartFormData(boundary: "B")
        let path = try folder.write(Array("12345".utf8), to: "a.txt")
        try form.append(file: path, name: "f")
        let whole = try form.content()
        _ = try folder.write(Array("123456789".utf8), to: "a.txt")
        #expect(try form.content() == whole)
        _ = try folder.write(Array("123".utf8), to: "a.txt")
        #expect(throws: MultipartError.tooShort(part: "f", expected: 5, got: 3)) { try form.content() }
        try FileManager.default.removeItem(atPath: path.string)
        #expect(throws: MultipartError.file(path: path, call: "open", .noSuchFileOrDirectory)) { try form.content() }
    }

    /// In a process of its own: other tests allocate meanwhile.
    @Test("a large part takes no more memory than the buffer it is read into")
    func largePart() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var form = MultipartFormData()
            try form.append(file: try Self.sparseFile(size: 1 << 30, in: folder), name: "large")
            var body = try form.makeBody()
            let before = try Self.residentBytes()
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
            defer { buffer.deallocate() }
            var total: Int64 = 0
            while case let count = try body.read(into: buffer), count > 0 { total += Int64(count) }
            #expect(total == body.contentLength)
            #expect(total > 1 << 30)
            let grown = try Self.residentBytes() - before
            #expect(grown < 16 << 20)
        }
    }

    @Test("the length of a 10 GB part is known without reading it")
    func tenGigabytes() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(file: try Self.sparseFile(size: 10 << 30, in: folder), name: "large")
        let framing = try form.contentLength - (10 << 30)
        #expect(framing == 124)
    }

    private static func sparseFile(size: Int64, in folder: TemporaryFolder) throws -> FilePath {
        let path = try folder.write([], to: "large.bin")
        try FileHandle(forWritingTo: URL(fileURLWithPath: path.string)).truncate(atOffset: UInt64(size))
        return path
    }

    @Test("many file parts hold one descriptor at a time")
    func manyFiles() throws {
        let path = try folder.write([1], to: "a")
        var form = MultipartFormData()
        for _ in 0..<500 { try form.append(file: path, name: "f") }
        var body = try form.makeBody()
        var most = 0
        while try !body.collectPiece().isEmpty { most = max(most, try Self.openFiles(of: path)) }
        #expect(most == 1)
    }

    @Test("a body is written to a file, in place of what was there")
    func writing() async throws {
        var form = MultipartFormData()
        try form.append(length: 300_000, name: "s", fileName: "s", contentType: .json) { Zeros() }
        let path = try folder.write([1], to: "body")
        try await form.write(to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)) == (try form.content()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["body"])
    }

    @Test("where writing fails, no half of a file is left and the old one stays")
    func failedWriting() async throws {
        var form = MultipartFormData()
        try form.append(length: 300_000, name: "s", fileName: "s", contentType: .json) { Zeros(limit: 200_000) }
        let path = try folder.write([1], to: "body")
        await #expect(throws: MultipartError.tooShort(part: "s", expected: 300_000, got: 200_000)) {
            try await form.write(to: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)) == Data([1]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["body"])
        await #expect(throws: MultipartError.self) { try await form.write(to: folder.path.appending("no/folder")) }
    }

    @Test("a cancelled writing leaves nothing")
    func cancelledWriting() async throws {
        var form = MultipartFormData()
        try form.append(length: 1 << 40, name: "s", fileName: "s", contentType: .json) { Zeros() }
        let path = folder.path.appending("body")
        let task = Task { [form] in try await form.write(to: path) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == [])
    }

    private static func residentBytes() throws -> Int64 {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int64(pages)) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func openFiles(of path: FilePath) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path.string
        }
    }
}

extension MultipartBody {
    /// The next 256 bytes.
    fileprivate mutating func collectPiece() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        var count = 0
        try buffer.withUnsafeMutableBytes { count = try read(into: $0) }
        return Array(buffer[..<count])
    }
}

@Suite("Requests with multipart bodies")
struct MultipartRequestTests {
    private let serializer = HTTPRequestSerializer(headers: ["User-Agent": "test"])

    @Test("parameters come before the parts, and the length is known")
    func request() throws {
        let request = try serializer.multipart(post(), parameters: ["a": 1]) { (form) throws(MultipartError) in
            try form.append(Data("x".utf8), name: "b")
        }
        guard case .multipart(let form) = request.body else {
            Issue.record()
            return
        }
        let content = String(decoding: try form.content(), as: UTF8.self)
        #expect(
            content.contains("name=\"a\"\r\n\r\n1\r\n--\(form.boundary)\r\nContent-Disposition: form-data; name=\"b\""))
        #expect(request.headers["Content-Type"] == "multipart/form-data; boundary=\(form.boundary)")
        #expect(request.headers["Content-Length"] == "\(content.utf8.count)")
        #expect(request.headers["User-Agent"] == "test")
    }

    @Test("without any part the request has an empty form")
    func empty() throws {
        let request = try serializer.multipart(post(), parameters: nil) { _ in }
        #expect(request.text == "")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test("GET and HEAD carry no parts", arguments: ["GET", "HEAD", "get"])
    func refused(method: String) {
        #expect(throws: RequestSerializationError.self) {
            var request = try post()
            request.method = RequestMethod(rawValue: method)
            _ = try serializer.multipart(request) { _ in }
        }
    }

    @Test("an error of a part comes through")
    func failing() {
        #expect(throws: RequestSerializationError.self) {
            try serializer.multipart(post()) { (form) throws(MultipartError) in
                try form.append(file: "/nowhere", name: "a")
            }
        }
    }

    private func post() throws -> Request {
        Request(url: try #require(URL(string: "http://h/")), method: .post)
    }
}
