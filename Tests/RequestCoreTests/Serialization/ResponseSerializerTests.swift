import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Answers as values")
struct ResponseSerializerTests {
    private let json = JSONResponseSerializer()

    @Test("the plain kind gives the body of any answer, and the error beside it")
    func plain() throws {
        let result = HTTPResponseSerializer().serialize(try Response(text: "gone", status: 410))
        #expect(result.value == Data("gone".utf8))
        #expect(result.error?.status == 410)
        #expect(try HTTPResponseSerializer().serialize(try Response(text: "x")).get() == Data("x".utf8))
    }

    @Test("JSON is read under each of its types", arguments: ["application/json", "text/json", "text/javascript"])
    func jsonTypes(type: String) throws {
        #expect(try json.serialize(try Response(text: #"{"a":[1]}"#, type: type)).get() == ["a": [1]])
    }

    @Test("a blank body is no value and no error", arguments: ["", " ", "  ", "\n", "\r\n\t ", "\u{B}"])
    func blank(body: String) throws {
        let result = json.serialize(try Response(text: body, type: "application/json"))
        #expect(result.value == nil)
        #expect(result.error == nil)
    }

    @Test("204 is no value and no error")
    func noContent() throws {
        #expect(try json.serialize(try Response(text: "", status: 204)).get() == nil)
    }

    @Test("a refused status with JSON gives value and error", arguments: [400, 404, 500])
    func refusedStatus(status: Int) throws {
        let result = json.serialize(try Response(text: #"{"e":1}"#, type: "application/json", status: status))
        #expect(result.value == ["e": 1])
        #expect(result.error?.status == status)
        #expect(throws: ResponseSerializationError.self) { try result.get() }
    }

    @Test("a refused status with a blank body gives the error alone")
    func refusedBlank() throws {
        let result = json.serialize(try Response(text: " ", type: "application/json", status: 500))
        #expect(result.value == nil)
        #expect(result.error?.status == 500)
    }

    @Test("a refused type is not read, also with a refused status", arguments: [200, 500])
    func refusedType(status: Int) throws {
        let result = json.serialize(try Response(text: "{}", type: "text/html", status: status))
        #expect(result.value == nil)
        #expect(result.error?.refusesContentType == true)
    }

    @Test("what is no JSON is an error that carries the refused status")
    func malformed() throws {
        let result = json.serialize(try Response(text: "{invalid}", type: "application/json", status: 503))
        #expect(result.value == nil)
        #expect(result.error?.format == "JSON")
        #expect((result.error?.underlying as? ResponseSerializationError)?.status == 503)
        let alone = json.serialize(try Response(text: "{invalid}", type: "application/json"))
        #expect(alone.error?.underlying == nil)
        #expect(alone.error?.description.contains("line 1, column 2") == true)
    }

    @Test("nulls are removed where that is asked")
    func removingNulls() throws {
        let response = try Response(text: #"{"a":null,"b":[null,{"c":null}]}"#, type: "application/json")
        #expect(json.serialize(response).value == ["a": nil, "b": [nil, ["c": nil]]])
        var removing = json
        removing.removesNulls = true
        #expect(removing.serialize(response).value == ["b": [[:]]])
    }

    @Test("fragments are read where they are allowed")
    func fragments() throws {
        var options = JSONReadingOptions()
        #expect(json.serialize(try Response(text: "1", type: "text/json")).error?.format == "JSON")
        options.allowsFragments = true
        let serializer = JSONResponseSerializer(options: options)
        #expect(serializer.serialize(try Response(text: "1", type: "text/json")).value == 1)
        #expect(serializer.serialize(try Response(text: "null", type: "text/json")).value == .null)
    }

    @Test("Google's guard before JSON is taken away")
    func scriptGuard() throws {
        var serializer = json
        serializer.preprocessing = .strippingScriptGuard
        #expect(serializer.serialize(try Response(text: ")]}',\n[1]", type: "text/json")).value == [1])
        #expect(serializer.serialize(try Response(text: "[1]", type: "text/json")).value == [1])
    }

    @Test("a type is decoded")
    func decodable() throws {
        let serializer = DecodableResponseSerializer([String: Int].self)
        #expect(try serializer.serialize(try Response(text: #"{"a":1}"#, type: "application/json")).get() == ["a": 1])
        let wrong = serializer.serialize(try Response(text: #"{"a":"x"}"#, type: "application/json"))
        guard case .undecodable("Dictionary<String, Int>", let error) = wrong.error?.reason else {
            Issue.record("\(String(describing: wrong.error))")
            return
        }
        #expect(error is DecodingError)
    }

    @Test("a refusal is not decoded as the type of a success")
    func undecodedRefusal() throws {
        let serializer = DecodableResponseSerializer([String: Int].self)
        let result = serializer.serialize(try Response(text: #"{"a":1}"#, type: "application/json", status: 500))
        #expect(result.value == nil)
        #expect(result.error?.status == 500)
    }

    @Test(
        "an answer without content is an error where one is needed",
        arguments: [(200, true), (204, false), (205, false)])
    func emptyDecodable(status: Int, isError: Bool) throws {
        for type in ["application/json", "text/html"] {
            var serializer = DecodableResponseSerializer([Int].self)
            let response = try Response(text: "", type: type, status: status)
            #expect((serializer.serialize(response).error != nil) == isError)
            serializer.needsBody = false
            #expect(serializer.serialize(response).error == nil)
        }
    }

    @Test("a compound takes the first that makes a value")
    func compound() throws {
        let compound = CompoundResponseSerializer([ImageResponseSerializer(), JSONResponseSerializer()])
        let json = compound.serialize(try Response(text: "[1]", type: "application/json", status: 500))
        #expect(json.value as? JSONValue == [1])
        #expect(json.error?.status == 500)
        let other = compound.serialize(try Response(text: "text", type: "text/plain"))
        #expect(other.value as? Data == Data("text".utf8))
        #expect(other.error == nil)
        #expect(compound.serialize(try Response(text: "text", type: "text/plain", status: 404)).error?.status == 404)
        #expect(CompoundResponseSerializer([]).serialize(try Response(text: "x")).value as? Data == Data("x".utf8))
    }
}

@Suite("Answers as text")
struct StringResponseSerializerTests {
    @Test(
        "the encoding is that of the type, ISO-8859-1 without one, UTF-8 where it is unknown",
        arguments: [
            (nil, [0xE4, 0x41], "äA"), ("text/plain", [0xE4], "ä"), ("text/plain;charset=utf-8", [0xC3, 0xA4], "ä"),
            ("text/plain; charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("text/plain;charset=x", [0xC3, 0xA4], "ä"),
            ("text/plain;charset=\"ISO-8859-15\"", [0xA4], "€"), ("text/plain;charset=windows-1252", [0x80], "€"),
            ("text/plain;charset=utf-16le", [0x41, 0, 0xE4, 0], "Aä"),
            ("text/plain;charset=euc-jp", [0xC6, 0xFC], "日"),
            ("text/plain;charset=koi8-r", [0xC1], "а"), ("text/plain;charset=big5", [0xA4, 0xA4], "中"),
            ("text/plain;charset=gbk", [0xD6, 0xD0], "中"), ("text/plain;charset=utf-8", [0xEF, 0xBB, 0xBF, 0x41], "A"),
            ("text/plain;charset=utf-8", [0x41, 0xFF, 0x42], "A\u{FFFD}B"),
            ("text/plain;charset=euc-kr", [0xB0, 0xA1], "가"),
            ("text/plain;charset=shift_jis", [0x41, 0x93], "A\u{FFFD}"), ("text/plain;charset=utf-8", [], ""),
            ("text/plain;charset=../../evil//TRANSLIT", [0x41], "A"),
        ] as [(String?, [UInt8], String)])
    func encoding(type: String?, bytes: [UInt8], text: String) throws {
        #expect(try StringResponseSerializer().serialize(try Response(bytes, type: type)).get() == text)
    }

    @Test("an encoding that is given wins")
    func given() throws {
        let serializer = StringResponseSerializer(encoding: .utf8)
        #expect(try serializer.serialize(try Response([0xC3, 0xA4], type: "text/plain;charset=latin1")).get() == "ä")
    }

    @Test("a long text in an encoding of several bytes is not cut")
    func long() throws {
        let text = String(repeating: "a日本語テキスト", count: 5000)
        let bytes = try #require(text.data(using: .shiftJIS))
        #expect(try StringResponseSerializer().serialize(try Response(bytes, type: "a/b;charset=sjis")).get() == text)
    }

    @Test("bytes of any kind end as text in every encoding, over seeded bytes")
    func hostile() throws {
        var generator = SeededGenerator(seed: 11)
        let charsets = [
            "utf-16", "utf-32", "big5", "gb18030", "euc-jp", "shift_jis", "koi8-u", "windows-1258", "iso-8859-7",
        ]
        for charset in charsets {
            for _ in 0..<50 {
                let response = try Response(generator.bytes(maximum: 200), type: "text/plain;charset=\(charset)")
                #expect(throws: Never.self) { try StringResponseSerializer().serialize(response).get() }
            }
        }
    }
}
