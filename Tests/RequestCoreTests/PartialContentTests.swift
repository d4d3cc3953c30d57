import EventLoop
import Foundation
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Parts of a file")
final class PartialContentTests {
    private static let content = "0123456789"
    private let folder: URL
    private let session: Session

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        session = try Session(loop: EventLoop())
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// One answer: its status and fields, and its body.
    struct Answer: Sendable, CustomTestStringConvertible {
        var status = 206
        var fields: [String] = []
        var body = ""
        /// Whether the connection ends without a length.
        var isOpenEnded = false

        var testDescription: String { "\(status) \(fields) \(body)" }

        static let whole = Answer(status: 200, fields: ["ETag: \"v2\""], body: content)

        static func part(_ range: String, _ tag: String?, _ body: String, _ others: String...) -> Answer {
            Answer(fields: ["Content-Range: bytes \(range)"] + (tag.map { ["ETag: \($0)"] } ?? []) + others, body: body)
        }
    }

    /// Notes the `Range` of each request, and gives the answers in their order, the last one again and again.
    private final class Script: Sendable {
        let server: SocketServer
        private let ranges: Ranges

        private final class Ranges: Sendable {
            let values = Mutex<[String]>([])
        }

        init(_ answers: [Answer]) throws {
            let ranges = Ranges()
            server = try SocketServer { connection in
                let request = connection.readRequest()
                let range = request.split(separator: "\r\n").first { $0.hasPrefix("Range: ") }.map { $0.dropFirst(7) }
                let number = ranges.values.withLock { values in
                    values.append(range.map(String.init) ?? "whole")
                    return values.count - 1
                }
                let answer = answers[min(number, answers.count - 1)]
                let fields = answer.fields + (answer.isOpenEnded ? [] : ["Content-Length: \(answer.body.utf8.count)"])
                connection.send(
                    "HTTP/1.1 \(answer.status) X\r\nConnection: close\r\n"
                        + fields.map { $0 + "\r\n" }.joined() + "\r\n" + answer.body)
            }
            self.ranges = ranges
        }

        var asked: [String] { ranges.values.withLock { $0 } }
    }

    /// A download of which three bytes have come.
    private func download(
        from script: Script, validator: String = "\"v1\"", total: Int? = nil, part: String = ".file.1.part"
    ) throws -> Download {
        let part = folder.appending(path: part)
        try Data("012".utf8).write(to: part)
        let url = try #require(URL(string: "http://127.0.0.1:\(script.server.port)/file"))
        var download = Download(Request(url: url), to: FilePath(folder.appending(path: "file").path))
        let total = total.map { #","total":\#($0)"# } ?? ""
        let json = """
            {"url":"\(url)","partialFile":"\(part.path)","offset":3,\
            "validator":"\(validator.replacing("\"", with: "\\\""))"\(total)}
            """
        download.resumeData = try JSONDecoder().decode(ResumeData.self, from: Data(json.utf8))
        return download
    }

    private var file: String? { try? String(contentsOf: folder.appending(path: "file"), encoding: .utf8) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    private static let date = "Wed, 21 Oct 2015 07:28:00 GMT"

    @Test(
        "a part that is not the rest of the same version is not put to it: the file is fetched from the beginning",
        arguments: [
            Answer.part("3-9/10", "\"v2\"", "abcdefg"),
            .part("3-9/10", "W/\"v1\"", "abcdefg"),
            .part("3-9/10", nil, "abcdefg"),
            .part("3-9/10", nil, "abcdefg", "ETag: \"v1\"", "ETag: \"v2\""),
            .part("4-9/10", "\"v1\"", "abcdef"),
            .part("0-9/10", "\"v1\"", "abcdefghij"),
            .part("3-9/11", "\"v1\"", "abcdefg"),
            .part("3-5/10", "\"v1\"", "abcdefg"),
            .part("9-3/10", "\"v1\"", "abcdefg"),
            .part("3-9/5", "\"v1\"", "abcdefg"),
            .part("3-9", "\"v1\"", "abcdefg"),
            .part("+3-9/10", "\"v1\"", "abcdefg"),
            .part("3-99999999999999999999/*", "\"v1\"", "abcdefg"),
            Answer(
                fields: ["Content-Range: bytes 3-\(Int64.max)/*", "ETag: \"v1\""], body: "abcdefg",
                isOpenEnded: true),
            .part("3-\(Int64.max)/*", "\"v1\"", "abcdefg"),
            Answer(fields: ["ETag: \"v1\""], body: "abcdefg"),
            Answer(fields: ["Content-Range: items 3-9/10", "ETag: \"v1\""], body: "abcdefg"),
            Answer(
                fields: ["Content-Type: multipart/byteranges; boundary=x", "ETag: \"v1\""],
                body: "--x\r\nContent-Range: bytes 3-9/10\r\n\r\nabcdefg\r\n--x--\r\n"),
            Answer(fields: ["Content-Range: bytes 3-5/10", "ETag: \"v1\""], body: "abcdefg", isOpenEnded: true),
            Answer(status: 416, fields: ["Content-Range: bytes */3"]),
        ])
    func otherVersion(answer: Answer) async throws {
        let script = try Script([answer, .whole])
        let response = try await session.download(download(from: script, total: 10))
        #expect(response.response.statusCode == 200)
        #expect(script.asked == ["bytes=3-", "whole"])
        #expect(file == Self.content)
        #expect(try names == ["file"])
    }

    @Test(
        "a part that is the rest is put to it",
        arguments: [
            ("\"v1\"", Answer.part("3-9/10", "\"v1\"", "3456789")),
            (date, .part("3-9/10", nil, "3456789", "Last-Modified: \(date)")),
            (date, .part("3-9/10", "\"new\"", "3456789", "Last-Modified: \(date)")),
        ])
    func rest(validator: String, answer: Answer) async throws {
        let script = try Script([answer])
        let response = try await session.download(download(from: script, validator: validator, total: 10))
        #expect(response.response.statusCode == 206)
        #expect(script.asked == ["bytes=3-"])
        #expect(file == Self.content)
    }

    @Test("a date is held against the part's, too")
    func otherDate() async throws {
        let script = try Script([
            .part("3-9/10", nil, "abcdefg", "Last-Modified: Thu, 22 Oct 2015 07:28:00 GMT"), .whole,
        ])
        _ = try await session.download(download(from: script, validator: Self.date))
        #expect(script.asked == ["bytes=3-", "whole"])
        #expect(file == Self.content)
    }

    @Test("what is missing of a range that is shorter than asked for is asked for")
    func shorter() async throws {
        let script = try Script([
            .part("3-5/10", "\"v1\"", "345"), .part("6-6/10", "\"v1\"", "6"), .part("7-9/10", "\"v1\"", "789"),
        ])
        _ = try await session.download(download(from: script))
        #expect(script.asked == ["bytes=3-", "bytes=6-", "bytes=7-"])
        #expect(file == Self.content)
        #expect(try names == ["file"])
    }

    @Test("a range that breaks off is asked for from there on")
    func cut() async throws {
        let cut = Answer(fields: ["Content-Range: bytes 3-9/10", "ETag: \"v1\""], body: "34", isOpenEnded: true)
        let script = try Script([cut, .part("5-9/10", "\"v1\"", "56789")])
        _ = try await session.download(download(from: script))
        #expect(script.asked == ["bytes=3-", "bytes=5-"])
        #expect(file == Self.content)
    }

    @Test("a server that gives nothing of a range any more fails the download, which can be resumed")
    func nothing() async throws {
        let cut = Answer(fields: ["Content-Range: bytes 6-9/10", "ETag: \"v1\""], body: "", isOpenEnded: true)
        let script = try Script([.part("3-5/10", "\"v1\"", "345"), cut])
        var download = try download(from: script)
        download.keepsPartialFile = true
        let error = try await #require(throws: RequestError.self) { try await session.download(download) }
        #expect(error.resumeData?.offset == 6 && error.resumeData?.total == 10)
        #expect(file == nil)
    }

    @Test(
        "what has come stays where the next answer fails before a byte of it, whatever the reason",
        .timeLimit(.minutes(1)))
    func laterFailure() async throws {
        // With the length of the body, which is none, it says two things.
        let rubbish = Answer(fields: ["Content-Length: 4"])
        let script = try Script([.part("3-5/10", "\"v1\"", "345"), rubbish, .part("6-9/10", "\"v1\"", "6789")])
        var download = try download(from: script)
        download.keepsPartialFile = true
        let error = try await #require(throws: RequestError.self) { try await session.download(download) }
        guard case .malformedResponse = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.resumeData?.offset == 6)
        download.resumeData = error.resumeData
        _ = try await session.download(download)
        #expect(script.asked == ["bytes=3-", "bytes=6-", "bytes=6-"])
        #expect(file == Self.content)
    }

    @Test("what is there already counts to the most that the request allows", arguments: [9, 10])
    func limit(most: Int) async throws {
        let script = try Script([.part("3-9/10", "\"v1\"", "3456789")])
        var download = try download(from: script)
        download.request.maximumBodySize = most
        if most == 10 {
            _ = try await session.download(download)
            #expect(file == Self.content)
        } else {
            let error = await #expect(throws: RequestError.self) { try await session.download(download) }
            #expect(error?.reason == .bodyTooLarge(limit: most))
            #expect(try names.isEmpty)
        }
    }

    @Test("another version in the middle of the parts starts over")
    func changesBetween() async throws {
        let script = try Script([.part("3-5/10", "\"v1\"", "345"), .part("6-9/10", "\"v2\"", "abcd"), .whole])
        _ = try await session.download(download(from: script))
        #expect(script.asked == ["bytes=3-", "bytes=6-", "whole"])
        #expect(file == Self.content)
        #expect(try names == ["file"])
    }

    @Test("where the length is not told, the end is found by asking for more", arguments: ["bytes */10", "bytes */12"])
    func unknownTotal(end: String) async throws {
        let script = try Script([
            .part("3-9/*", "\"v1\"", "3456789"), Answer(status: 416, fields: ["Content-Range: \(end)"]), .whole,
        ])
        _ = try await session.download(download(from: script))
        #expect(script.asked == ["bytes=3-", "bytes=10-"] + (end == "bytes */10" ? [] : ["whole"]))
        #expect(file == Self.content)
        #expect(try names == ["file"])
    }

    @Test("a refusal leaves what has come as it is, and says how to go on with it", arguments: [404, 503])
    func refusal(status: Int) async throws {
        let script = try Script([Answer(status: status), .part("3-9/10", "\"v1\"", "3456789")])
        var download = try download(from: script, total: 10)
        let error = try await #require(throws: RequestError.self) { try await session.download(download) }
        #expect(error.reason == .unacceptableStatus(status, body: Data()))
        #expect(try error.resumeData == download.resumeData && names == [".file.1.part"])
        download.resumeData = error.resumeData
        _ = try await session.download(download)
        #expect(script.asked == ["bytes=3-", "bytes=3-"] && file == Self.content)
    }

    @Test("a part that nobody has asked for is no file")
    func unasked() async throws {
        let script = try Script([.part("0-4/10", "\"v1\"", "01234")])
        var download = try download(from: script)
        let error = await #expect(throws: RequestError.self) { try await session.download(download) }
        #expect(error?.reason == .unacceptableStatus(206, body: Data("01234".utf8)))
        #expect(file == nil)
        download.resumeData = nil
        let other = await #expect(throws: RequestError.self) { try await session.download(download) }
        #expect(other?.reason == .unacceptableStatus(206, body: Data("01234".utf8)))
        #expect(file == nil)
    }

    @Test("a part is asked for as it is, and one of what is packed is left as it is")
    func packed() async throws {
        let asked = Mutex("")
        let server = try SocketServer { connection in
            let head = connection.readRequest()
            asked.withLock { $0 = head }
            let fields = "Content-Encoding: gzip\r\nContent-Range: bytes 4-8/20\r\nContent-Length: 5"
            connection.send("HTTP/1.1 206 X\r\n\(fields)\r\n\r\nhello")
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let response = try await session.response(for: Request(url: url, headers: ["Range": "bytes=4-8"]))
        #expect(response.body == Data("hello".utf8))
        #expect(!asked.withLock { $0 }.contains("Accept-Encoding"))
    }

    @Test("a part that the caller has asked for is what the file is to hold")
    func asked() async throws {
        let script = try Script([.part("2-4/10", "\"v1\"", "234")])
        var download = try download(from: script)
        download.resumeData = nil
        download.request.headers["Range"] = "bytes=2-4"
        _ = try await session.download(download)
        #expect(file == "234")
    }

    @Test(
        "what is left of a broken download without a tag is kept by a date that is old enough",
        arguments: [true, false])
    func dates(isOld: Bool) async throws {
        let script = try Script([
            Answer(
                status: 200,
                fields: [
                    "Last-Modified: \(Self.date)", "Date: \(isOld ? "Wed, 21 Oct 2015 07:28:05 GMT" : Self.date)",
                    "Content-Length: 10",
                ],
                body: "0123", isOpenEnded: true)
        ])
        var download = try download(from: script)
        download.resumeData = nil
        download.keepsPartialFile = true
        let error = try await #require(throws: RequestError.self) { try await session.download(download) }
        #expect(error.resumeData?.validator == (isOld ? Self.date : nil))
        #expect(error.resumeData?.total == (isOld ? 10 : nil))
    }

    @Test(
        "resume data that name another file than a part of the library's are no reason to touch it",
        arguments: [
            "precious.txt", ".part", ".file.part", ".file.x.part", "file.1.part", ".file.1.part/../precious",
            "other/.file.1.part", "other/../precious", "..file.1.parts",
        ])
    func foreignFile(name: String) async throws {
        for folder in ["other", ".file.1.part/.."] where name.hasPrefix(folder) {
            try FileManager.default.createDirectory(
                at: self.folder.appending(path: folder.replacing("/..", with: "")), withIntermediateDirectories: true)
        }
        let script = try Script([.part("3-9/10", "\"v1\"", "3456789"), .whole])
        let download = try download(from: script, part: name)
        _ = try await session.download(download)
        #expect(script.asked == ["bytes=3-", "whole"])
        #expect(file == Self.content)
        #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == "012")
    }

    @Test("a refusal to such data leaves the file alone, too")
    func foreignFileRefused() async throws {
        let script = try Script([.whole])
        _ = try await session.download(download(from: script, part: "precious.txt"))
        #expect(try String(contentsOf: folder.appending(path: "precious.txt"), encoding: .utf8) == "012")
    }

    @Test("a file that somebody has put in a part's place by a link is not written to", arguments: [true, false])
    func linkedPart(isSymbolic: Bool) async throws {
        let script = try Script([.part("3-9/10", "\"v1\"", "3456789"), .whole])
        let download = try download(from: script)
        let (part, precious) = (folder.appending(path: ".file.1.part"), folder.appending(path: "precious.txt"))
        try FileManager.default.moveItem(at: part, to: precious)
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: part.path, withDestinationPath: precious.path)
        } else {
            #expect(link(precious.path, part.path) == 0)
        }
        _ = try await session.download(download)
        #expect(script.asked == ["bytes=3-", "whole"])
        #expect(file == Self.content)
        #expect(try String(contentsOf: precious, encoding: .utf8) == "012")
        #expect(try names.sorted() == ["file", "precious.txt"])
    }

    @Test("what has come stays, and can be gone on with, where the whole has no place", arguments: [true, false])
    func noPlace(beginsAnew: Bool) async throws {
        let script = try Script([.whole])
        var download = try download(from: script)
        download.replacesFile = true
        download.beginsAnew = beginsAnew
        let path = folder.appending(path: "file").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let error = try await #require(throws: RequestError.self) { try await session.download(download) }
        #expect(error.reason == .fileUnwritable(path: path, call: "rename", .isDirectory))
        #expect(error.resumeData == download.resumeData)
        #expect(try names.sorted() == [".file.1.part", "file"])
    }

    @Test("a task that is cancelled before it starts says how to go on with what it was given")
    func cancelledBefore() async throws {
        let script = try Script([.whole])
        let download = try download(from: script)
        let task = session.downloadTask(download)
        task.cancel()
        let error = try await #require(throws: RequestError.self) { try await task.value }
        #expect(error.reason == .cancelled && error.resumeData == download.resumeData)
        #expect(try script.asked.isEmpty && names == [".file.1.part"])
    }

    @Test("what has come and is gone meanwhile is fetched again")
    func gone() async throws {
        let script = try Script([.part("3-9/10", "\"v1\"", "3456789"), .whole])
        let download = try download(from: script)
        try FileManager.default.removeItem(at: folder.appending(path: ".file.1.part"))
        _ = try await session.download(download)
        #expect(file == Self.content)
    }
}
