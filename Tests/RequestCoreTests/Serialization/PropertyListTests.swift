import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Answers as property lists")
struct PropertyListTests {
    private let serializer = PropertyListResponseSerializer()
    private static let value: PropertyListValue = .dictionary([
        "s": .string("x"), "i": .integer(-1), "r": .number(1.5), "b": .bool(true), "d": .data(Data([1])),
        "t": .date(Date(timeIntervalSince1970: 0)), "a": .array([.integer(1), .dictionary([:])]),
    ])

    private static func encoded(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let plist: [String: Any] = [
            "s": "x", "i": -1, "r": 1.5, "b": true, "d": Data([1]), "t": Date(timeIntervalSince1970: 0),
            "a": [1, [String: Any]()] as [Any],
        ]
        return try PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0)
    }

    @Test("either format is read, whatever kinds of values it has", arguments: [true, false])
    func formats(isBinary: Bool) throws {
        let body = try Self.encoded(isBinary ? .binary : .xml)
        #expect(try serializer.serialize(try Response(body, type: "application/x-plist")).get() == Self.value)
    }

    @Test(
        "what is none is an error",
        arguments: ["", "{", "<plist version=\"1.0\"><dict><key>a", "<foo", "bplist00", "<plist/>"])
    func malformed(text: String) throws {
        let result = serializer.serialize(try Response(text: text, type: "application/x-plist"))
        #expect(result.error?.format == "a property list")
    }

    @Test("a type is decoded through the decodable kind")
    func decodable() throws {
        struct Settings: Decodable, Equatable { let s: String }
        let serializer = DecodableResponseSerializer.propertyList(Settings.self)
        let response = try Response(try Self.encoded(.xml), type: "application/x-plist")
        #expect(try serializer.serialize(response).get() == Settings(s: "x"))
    }

    @Test("seeded damage never crashes", arguments: [true, false])
    func damage(isBinary: Bool) throws {
        let body = try Self.encoded(isBinary ? .binary : .xml)
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<500 {
            var damaged = body
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            _ = serializer.serialize(try Response(damaged, type: "application/x-plist"))
        }
    }

    @Test(
        "deep nesting is an error and no crash, hidden in comments or not",
        arguments: ["", "<!--</array>-->", "<![CDATA[</array>]]>"])
    func deep(disguise: String) throws {
        func nested(_ depth: Int) throws -> Response {
            let opening = String(repeating: "<array>" + disguise, count: depth)
            let text = "<plist version=\"1.0\">\(opening)\(String(repeating: "</array>", count: depth))</plist>"
            return try Response(text: text, type: "application/x-plist")
        }
        let result = serializer.serialize(try nested(100_000))
        guard case .malformed(_, let error) = result.error?.reason else {
            Issue.record()
            return
        }
        #expect(error as? PropertyListError == .tooDeep(limit: 512))
        if disguise.isEmpty { #expect(throws: Never.self) { try serializer.serialize(try nested(512)).get() } }
    }

    /// Few enough that the reader survives them, so that a scan that lets them pass is told by its error.
    @Test("a list within a list is an error, and so is one that a comment or an end stands before")
    func nestedLists() throws {
        for inner in ["<plist><true/></plist>", "<!-- --><plist version='1.0'><true/></plist>"] {
            #expect(try refusal(text: "<plist version=\"1.0\">\(inner)</plist>") == .nested)
        }
        #expect(try refusal(text: "<plist><true/></plist><plist><true/></plist>") == .nested)
        let text = "<plist><string><![CDATA[<plist>]]></string></plist>"
        let alone = "<?xml version=\"1.0\"?><!DOCTYPE plist><!--<plist>-->" + text
        #expect(try refusal(text: alone) == nil)
    }

    @Test("an instruction without a name hides no depth from the count")
    func emptyInstruction() throws {
        let opening = "<plist><array><?>" + String(repeating: "<array>", count: 10) + "<?x?>"
        let text = opening + String(repeating: "</array>", count: 11) + "</plist>"
        #expect(try refusal(text: text) == .unterminated)
    }

    @Test("UTF-16 is refused, since its depth cannot be counted")
    func utf16() throws {
        let body = try #require("<plist><array/></plist>".data(using: .utf16))
        #expect(
            serializer.serialize(try Response(body, type: "application/x-plist")).error?.format == "a property list")
    }

    @Test("a binary list that contains itself is refused")
    func circle() throws {
        #expect(try refusal(binary: [[0, 0]]) == .tooDeep(limit: 512))
        #expect(try refusal(binary: [[1], [0]]) == .tooDeep(limit: 512))
    }

    @Test("a binary list that would grow beyond measure is refused, and soon")
    func expanding() throws {
        #expect(try refusal(binary: (1..<200).map { [UInt8($0), UInt8($0)] } + [[]]) == .expands)
    }

    @Test("a binary list that points outside itself is refused")
    func outside() throws {
        #expect(try refusal(binary: [[7]]) == .invalidBinary)
        let result = serializer.serialize(
            try Response(text: "bplist00" + String(repeating: "\u{7F}", count: 40), type: "application/x-plist"))
        #expect(result.error?.format == "a property list")
    }

    /// Why a text is refused before it is read; nil where it is not.
    private func refusal(text: String) throws -> PropertyListError? {
        let result = serializer.serialize(try Response(text: text, type: "application/x-plist"))
        guard case .malformed(_, let error) = result.error?.reason else { return nil }
        return error as? PropertyListError
    }

    /// Why a binary list of arrays, each given by the numbers of its members, is refused.
    private func refusal(binary arrays: [[UInt8]]) throws -> PropertyListError? {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt16] = []
        for members in arrays {
            offsets.append(UInt16(bytes.count))
            bytes += [0xA0 | UInt8(members.count)] + members
        }
        let table = UInt16(bytes.count)
        bytes += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(arrays.count)]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
        let result = serializer.serialize(try Response(bytes, type: "application/x-plist"))
        guard case .malformed(_, let error) = result.error?.reason else { return nil }
        return error as? PropertyListError
    }
}
