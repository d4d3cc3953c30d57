import Foundation
import RequestCore
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
        let serializer = DecodableResponseSerializer<Settings>(
            validation: ResponseValidation(contentTypes: [.propertyList])
        ) { try PropertyListDecoder().decode(Settings.self, from: $0) }
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

    @Test("deep nesting is an error and no crash")
    func deep() throws {
        let depth = 100_000
        let text =
            "<plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
            + String(repeating: "</array>", count: depth) + "</plist>"
        let result = serializer.serialize(try Response(text: text, type: "application/x-plist"))
        #expect(result.error?.format == "a property list")
    }
}
