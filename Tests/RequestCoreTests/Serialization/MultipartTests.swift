import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Multipart bodies")
struct MultipartTests {
    @Test("the framing is that of RFC 7578, byte for byte")
    func framing() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(Data("v1".utf8), name: "field")
        try form.append(Data("{}".utf8), name: "file", fileName: "a.json", contentType: .json)
        try form.append(Data([0, 255]), headers: ["X-One": "1", "Content-Type": "a/b"])
        let expected =
            Data("--B\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\nv1".utf8)
            + Data("\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n".utf8)
            + Data("Content-Type: application/json\r\n\r\n{}".utf8)
            + Data("\r\n--B\r\nX-One: 1\r\nContent-Type: a/b\r\n\r\n".utf8) + Data([0, 255])
            + Data("\r\n--B--\r\n".utf8)
        #expect(try form.content() == expected)
        #expect(try form.contentLength == Int64(expected.count))
        #expect(form.contentType.description == "multipart/form-data; boundary=B")
    }

    @Test("a boundary is a word and 16 capital digits, another each time")
    func boundary() throws {
        let boundaries = (0..<100).map { _ in MultipartFormData().boundary }
        #expect(Set(boundaries).count == 100)
        for boundary in boundaries {
            #expect(boundary.wholeMatch(of: /Boundary\+[0-9A-F]{16}/) != nil)
        }
        #expect(MultipartFormData().contentType.description.contains("boundary=Boundary+"))
    }

    @Test(
        "a boundary that would break the framing is refused",
        arguments: ["", "a\r\nb", "a\"b", "a ", "ä", String(repeating: "a", count: 71)])
    func invalidBoundary(boundary: String) {
        #expect(throws: MultipartError.invalidBoundary(boundary)) { try MultipartFormData(boundary: boundary) }
    }

    @Test("names cannot break out of their quotes")
    func escaping() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(
            Data(), name: "a\"; filename=\"x", fileName: "ü\r\nContent-Type: text/html\r\n\r\n\"", contentType: .json)
        let text = String(decoding: try form.content(), as: UTF8.self)
        let name = "name=\"a%22; filename=%22x\"; filename=\"ü%0D%0AContent-Type: text/html%0D%0A%0D%0A%22\""
        #expect(text.contains("Content-Disposition: form-data; \(name)\r\nContent-Type: application/json\r\n\r\n"))
    }

    @Test("headers that break their line are refused, and leave the form as it was")
    func invalidHeaders() throws {
        var form = MultipartFormData()
        #expect(throws: MultipartError.self) { try form.append(Data(), name: "a\0b") }
        #expect(throws: MultipartError.self) { try form.append(Data(), headers: ["X": "1\r\n\r\nbody"]) }
        #expect(form.isEmpty)
    }

    @Test("parameters become fields named as in a query")
    func parameters() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(["b": [1, nil], "a": .data(Data("raw".utf8)), "c": true])
        let text = String(decoding: try form.content(), as: UTF8.self)
        let fields = [("a", "raw"), ("b[]", "1"), ("b[]", ""), ("c", "1")]
            .map { "--B\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }
        #expect(text == fields.joined() + "--B--\r\n")
    }

    @Test("lengths that overflow are refused")
    func overflow() throws {
        var form = MultipartFormData()
        let stream: @Sendable () throws -> any BodyReader = { Zeros() }
        try form.append(length: .max - 1000, name: "a", fileName: "a", contentType: .json, stream: stream)
        #expect(throws: MultipartError.tooLong) {
            try form.append(length: 1000, name: "b", fileName: "b", contentType: .json, stream: stream)
        }
        #expect(throws: MultipartError.negativeLength(part: "c", -1)) {
            try form.append(length: -1, name: "c", fileName: "c", contentType: .json, stream: stream)
        }
        #expect(try form.contentLength > .max - 1000)
    }

    @Test("a stream is read to its length and no further")
    func longStream() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(length: 5, name: "s", fileName: "f", contentType: .octetStream) { Zeros() }
        let content = try form.content()
        #expect(content.count { $0 == 0 } == 5)
        #expect(content.count == Int(try form.contentLength))
    }

    @Test("a stream that ends before its length is an error that says how far it came")
    func shortStream() throws {
        var form = try MultipartFormData(boundary: "B")
        try form.append(length: 10, name: "s", fileName: "f", contentType: .octetStream) { Zeros(limit: 4) }
        #expect(throws: MultipartError.tooShort(part: "s", expected: 10, got: 4)) { try form.content() }
    }

    @Test("a stream that fails names its part")
    func failingStream() throws {
        struct Broken: Error, CustomStringConvertible { let description = "disk on fire" }
        var form = MultipartFormData()
        try form.append(length: 1, name: "s", fileName: "f", contentType: .json) { throw Broken() }
        #expect(throws: MultipartError.stream(part: "s", reason: "disk on fire")) { try form.content() }
    }

    @Test("a stream that claims more than it was given is refused")
    func lyingStream() throws {
        struct Liar: BodyReader {
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { buffer.count + 1 }
        }
        var form = MultipartFormData()
        try form.append(length: 10, name: "s", fileName: "f", contentType: .json) { Liar() }
        #expect(throws: MultipartError.self) { try form.content() }
    }

    @Test("the body is the same however it is cut, and again when it is opened again", arguments: [1, 2, 7, 64, 4096])
    func cuts(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("file content".utf8), to: "a.txt")
        var form = try MultipartFormData(boundary: "B")
        try form.append(Data("x".utf8), name: "x")
        try form.append(file: path, name: "f")
        try form.append(Data(), name: "empty")
        try form.append(length: 3, name: "s", fileName: "s", contentType: .json) { Zeros() }
        let whole = try form.content()
        #expect(try form.content(size) == whole)

        var body = try form.makeBody()
        _ = try body.collect(10)
        var again = try body.reopened()
        #expect(try again.collect() == whole)
        #expect(try again.collect() == Data())
    }

    @Test("twenty thousand parts are added as quickly as each of a few", .timeLimit(.minutes(1)))
    func manyParts() throws {
        var form = MultipartFormData()
        for number in 0..<20_000 { try form.append(Data("value".utf8), name: "name \(10_000 + number)") }
        let part = "--\(form.boundary)\r\nContent-Disposition: form-data; name=\"name 10000\"\r\n\r\nvalue\r\n"
        let closing = "--\(form.boundary)--\r\n"
        #expect(try form.contentLength == Int64(20_000 * part.utf8.count + closing.utf8.count))
    }

    @Test("forms of seeded parts have the length they claim")
    func property() throws {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<300 {
            var form = MultipartFormData()
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let name = generator.text(maximum: 8).filter { $0 != "\0" }
                let data = Data(generator.bytes(maximum: 50))
                try form.append(data, name: name, fileName: name, contentType: .octetStream)
            }
            let content = try form.content(Int.random(in: 1...64, using: &generator))
            #expect(Int64(content.count) == (try form.contentLength))
        }
    }
}

/// Noughts, endless or up to a limit.
struct Zeros: BodyReader {
    var limit = Int.max

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, limit)
        limit -= count
        for index in 0..<count { buffer[index] = 0 }
        return count
    }
}

extension MultipartFormData {
    /// The whole body, read in pieces of a size.
    func content(_ size: Int = 4096) throws -> Data {
        var body = try makeBody()
        return try body.collect(size)
    }
}

extension MultipartBody {
    /// All that is left.
    mutating func collect(_ size: Int = 4096) throws -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            var count = 0
            try buffer.withUnsafeMutableBytes { count = try read(into: $0) }
            if count == 0 { return content }
            content.append(contentsOf: buffer[..<count])
        }
    }
}
