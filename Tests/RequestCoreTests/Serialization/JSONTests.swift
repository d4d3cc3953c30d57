import FoundationEssentials
import RequestCore
import TestSupport
import Testing

@Suite("JSON")
struct JSONTests {
    private static var anything: JSONReadingOptions {
        var options = JSONReadingOptions()
        options.allowsFragments = true
        return options
    }

    private static var lenient: JSONReadingOptions {
        var options = anything
        options.isLenient = true
        return options
    }

    @Test(
        "what RFC 8259 allows is read",
        arguments: [
            ("{}", [:]), ("[]", []), (" [ 1 , 2 ] ", [1, 2]), ("\u{FEFF}{}", [:]),
            (#"{"b":1,"a":{"c":[true,false,null]}}"#, ["b": 1, "a": ["c": [true, false, nil]]]),
            ("[0,-1,9223372036854775807,-9223372036854775808]", [0, -1, .integer(.max), .integer(.min)]),
            ("[18446744073709551615]", [.unsigned(.max)]), ("[18446744073709551616]", [1.8446744073709552e19]),
            ("[1.5,1e2,1E-2,1.0]", [1.5, 100.0, 0.01, 1.0]), ("[1e-400]", [0.0]),
            (#"["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"]"#, ["\"\\/\u{8}\u{C}\n\r\té😀"]), (#"["a\u0000b"]"#, ["a\0b"]),
            (#"{"":1}"#, ["": 1]), (#"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2]), ("1", 1), ("\"a\"", "a"), ("null", nil),
        ] as [(String, JSONValue)])
    func valid(text: String, value: JSONValue) throws {
        #expect(try JSONValue(json: Data(text.utf8), options: Self.anything) == value)
    }

    @Test(
        "what it does not allow is refused",
        arguments: [
            "", " ", "\n", "{invalid}", "[1,]", "{\"a\":1,}", "[,1]", "[1 2]", "[1", "{\"a\"", "{\"a\":", "{1:2}",
            "[1] x",
            "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u12\"", "\"\\x\"", "\"a", "\"\n\"", "[01]", "[-]", "[1.]", "[.5]",
            "[1e]", "[1e400]", "[+1]", "[nan]", "[tru]", "[truex]", "nul", "'a'", "[1}", "//", "[\u{0}]", "-01", "1 1",
        ])
    func invalid(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: Data(text.utf8), options: Self.anything) }
    }

    @Test(
        "a string that is not UTF-8 is refused", arguments: [[0xE4], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80]])
    func notUTF8(bytes: [UInt8]) {
        let text = Data([0x22] + bytes + [0x22])
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: text, options: Self.anything) }
    }

    @Test("a fragment is refused unless it is allowed", arguments: ["1", "\"a\"", "null", "true"])
    func fragment(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: Data(text.utf8)) }
        #expect(throws: Never.self) { try JSONValue(json: Data(text.utf8), options: Self.anything) }
    }

    @Test("the lenient way lets pass what Foundation does")
    func lenient() throws {
        #expect(try JSONValue(json: Data("[1,]".utf8), options: Self.lenient) == [1])
        #expect(try JSONValue(json: Data("{\"a\":1,}".utf8), options: Self.lenient) == ["a": 1])
        #expect(
            try JSONValue(json: Data(#"["\ud800x\ud800\u0041"]"#.utf8), options: Self.lenient) == ["\u{FFFD}x\u{FFFD}A"]
        )
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: Data("[,]".utf8), options: Self.lenient) }
    }

    @Test("UTF-16 is read in the lenient way, with and without its mark", arguments: [true, false])
    func utf16(isBigEndian: Bool) throws {
        let units = Array("{\"é\":1}".utf16)
        let bytes = units.flatMap {
            isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
        #expect(try JSONValue(json: Data(bytes), options: Self.lenient) == ["é": 1])
        #expect(try JSONValue(json: Data(mark + bytes), options: Self.lenient) == ["é": 1])
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: Data(bytes)) }
    }

    @Test("an error names line, column and what was found")
    func place() throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONValue(json: Data("{\n  \"a\": 1,\n  oops\n}".utf8))
        }
        #expect(error.line == 3)
        #expect(error.column == 3)
        #expect(error.description == "the text is not JSON: line 3, column 3: found 'o', where a name should begin")
    }

    @Test("depth is bounded", arguments: ["[", "{\"a\":"])
    func depth(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        let inner = opening == "[" ? "" : "1"
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONValue(json: nested(512)) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: nested(513)) }
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(json: Data(String(repeating: opening, count: 1 << 20).utf8))
        }
    }

    @Test(
        "a thousand marks on one letter are read, and more are refused at once, as they stand and escaped",
        .timeLimit(.minutes(1)),
        arguments: ["\u{301}\u{316}", #"\u0301\u0316"#, "\u{F73}\u{F71}"])
    func marks(pair: String) throws {
        func text(_ pairs: Int) -> Data { Data(("{\"a" + String(repeating: pair, count: pairs) + "b\":1}").utf8) }
        #expect(try JSONValue(json: text(500)).objectValue?.count == 1)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(json: text(501)) }
        // Where the string ends.
        #expect(error.line == 1 && error.column == text(501).count - 3)
        #expect(error.reason == "more than 1000 marks stand on one letter")
        // To take this for a name would be the work of minutes.
        #expect(throws: JSONSyntaxError.self) { try JSONValue(json: text(250_000)) }
    }

    @Test("nulls are removed at every depth, in objects and arrays")
    func removingNulls() {
        let value: JSONValue = ["a": nil, "b": [nil, 1, ["c": nil, "d": [nil]]], "e": ["f": nil]]
        #expect(value.removingNulls() == ["b": [1, ["d": []]], "e": [:]])
        #expect(JSONValue.null.removingNulls() == .null)
    }

    @Test("values are found by name and index")
    func access() {
        let value: JSONValue = ["a": [1, 2.5, "x", true]]
        #expect(value["a"]?[0]?.intValue == 1)
        #expect(value["a"]?[1]?.doubleValue == 2.5)
        #expect(value["a"]?[1]?.intValue == nil)
        #expect(value["a"]?[2]?.stringValue == "x")
        #expect(value["a"]?[3]?.boolValue == true)
        #expect(value["a"]?[4] == nil)
        #expect(value["b"] == nil)
        #expect(value[0] == nil)
    }

    @Test("what is written reads back the same, over 1000 seeded trees")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<1000 {
            let value = generator.json(depth: 4)
            let text = value.text()
            #expect(try JSONValue(json: Data(text.utf8), options: Self.anything) == value)
            _ = try JSONDecoder().decode(AnyDecodable.self, from: Data(text.utf8))
        }
    }

    @Test("no bytes crash the reader, over 3000 seeded texts and every cut of one")
    func fuzz() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            _ = try? JSONValue(json: Data(generator.bytes(maximum: 40)), options: Self.lenient)
        }
        let text = Array(#"{"a":[1.5e3,"\u00e9\ud83d\ude00",null,true],"b":{}}"#.utf8)
        for end in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(json: Data(text[..<end]), options: Self.lenient) }
        }
    }
}

/// Reads anything JSON can hold, to have the toolchain's reader look at what ours wrote.
private struct AnyDecodable: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decodeNil()
    }
}

extension SeededGenerator {
    fileprivate mutating func json(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
        case 0: .null
        case 1: .bool(Bool.random(using: &self))
        case 2: .integer(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
        case 3: .number(Double.random(in: -1e6...1e6, using: &self) + 0.000_123)
        case 4, 5: .string(text(maximum: 12))
        case 6: .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0..<5, using: &self)).map { _ in (text(maximum: 4), json(depth: depth - 1)) }))
        }
    }
}
