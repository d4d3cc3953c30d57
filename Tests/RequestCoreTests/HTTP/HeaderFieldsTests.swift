import RequestCore
import Testing

@Suite("HTTP headers")
struct HTTPHeadersTests {
    @Test("a name is found in any case and keeps its spelling")
    func caseInsensitive() {
        let headers: HeaderFields = ["X-Request-ID": "1"]
        #expect(headers["x-request-id"] == "1")
        #expect(headers.map(\.name) == ["X-Request-ID"])
    }

    @Test("setting replaces every field of the name at the place of the first")
    func replace() {
        var headers: HeaderFields = ["A": "1", "B": "2", "a": "3", "C": "4"]
        headers.set("a", to: "9")
        #expect(headers.map(\.description) == ["a: 9", "B: 2", "C: 4"])
    }

    @Test("appending keeps what is there, and the values read joined")
    func append() {
        var headers: HeaderFields = ["Accept": "a/b"]
        headers.append("accept", "c/d")
        #expect(headers["Accept"] == "a/b, c/d")
        #expect(headers.values(of: "ACCEPT") == ["a/b", "c/d"])
    }

    @Test("setting nil removes")
    func remove() {
        var headers: HeaderFields = ["A": "1", "B": "2"]
        headers["a"] = nil
        #expect(headers.map(\.name) == ["B"])
        #expect(headers["A"] == nil)
    }

    @Test("a default is set only where the name is missing")
    func defaults() {
        var headers: HeaderFields = ["a": "1"]
        headers.setDefault("A", to: "2")
        headers.setDefault("B", to: "3")
        #expect(headers.map(\.description) == ["a: 1", "B: 3"])
    }

    @Test("merging lets the others replace each name, with all their values")
    func merging() {
        var others: HeaderFields = ["b": "8"]
        others.append("B", "9")
        #expect((["A": "1", "B": "2"] as HeaderFields).merging(others).map(\.description) == ["A: 1", "b: 8", "B: 9"])
    }

    @Test("equality and hashing pass over the case of names, not of values")
    func equality() {
        #expect((["A": "x"] as HeaderFields) == ["a": "x"])
        #expect(Set([(["A": "x"] as HeaderFields), ["a": "x"]]).count == 1)
        #expect((["A": "x"] as HeaderFields) != ["A": "X"])
    }

    @Test(
        "a value that would break its line is refused",
        arguments: ["a\r\nHost: evil", "a\nb", "a\rb", "a\0b", "a\r\n"])
    func brokenValue(value: String) {
        #expect(throws: HTTPMessageError.invalidFieldValue(name: "X")) {
            try (["X": value] as HeaderFields).validate()
        }
    }

    @Test("a name that is no token is refused", arguments: ["", "A B", "A:", "A\r\nB", "Ä", "a(b"])
    func brokenName(name: String) {
        #expect(throws: HTTPMessageError.invalidFieldName(name)) { try ([name: "1"] as HeaderFields).validate() }
    }

    @Test("UTF-8 and tabs may stand in a value")
    func freeValue() throws {
        try (["X": "ä\t€", "Y": ""] as HeaderFields).validate()
    }

    @Test("a line is read without the white space about its value")
    func line() throws {
        let field = try HeaderFields.Field(line: Array("Content-Type: \t text/html \t".utf8))
        #expect(field.name == "Content-Type")
        #expect(field.value == "text/html")
        #expect(try HeaderFields.Field(line: Array("Empty:".utf8)).value == "")
        #expect(try HeaderFields.Field(line: Array("A: b: c".utf8)).value == "b: c")
    }

    @Test("a line that is not UTF-8 is read as ISO-8859-1")
    func latin() throws {
        #expect(try HeaderFields.Field(line: [0x58, 0x3A, 0xE4, 0xFF]).value == "äÿ")
    }

    @Test("a line that is no field is refused", arguments: ["nothing", ": value", "a b: c", " X: folded", "X : 1"])
    func malformedLine(line: String) {
        #expect(throws: HTTPMessageError.malformedFieldLine(line)) { try HeaderFields.Field(line: Array(line.utf8)) }
    }

    @Test("basic authorization is base64 of UTF-8, and has no colon in the user")
    func basic() {
        #expect(
            HeaderFields.Field.authorization(user: "Aladdin", password: "open sesame")?.value
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(HeaderFields.Field.authorization(user: "ü", password: "a:b")?.value == "Basic w7w6YTpi")
        #expect(HeaderFields.Field.authorization(user: "a:b", password: "c") == nil)
    }

    @Test("what lets someone act in another's name is hidden")
    func redacted() {
        let headers: HeaderFields = ["AUTHORIZATION": "Basic x", "Cookie": "a=b", "Accept": "*/*"]
        #expect(headers.redacted.map(\.value) == ["<redacted>", "<redacted>", "*/*"])
        #expect(headers.redacted.map(\.name) == ["AUTHORIZATION", "Cookie", "Accept"])
    }
}

@Suite("HTTP methods")
struct HTTPMethodTests {
    @Test("a method is any token, and compares with its case")
    func open() throws {
        try RequestMethod(rawValue: "PROPFIND").validate()
        #expect(RequestMethod("get") != .get)
    }

    @Test("what would break the request line is refused", arguments: ["", "GET /", "GET\r\n", "G\0", "É"])
    func broken(text: String) {
        #expect(throws: HTTPMessageError.invalidMethod(text)) { try RequestMethod(rawValue: text).validate() }
    }

    @Test("POST, PATCH and CONNECT are not repeated by themselves")
    func idempotent() {
        let methods: [RequestMethod] = [
            .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        #expect(methods.filter { !$0.isIdempotent } == [.connect, .patch, .post])
        #expect(methods.filter(\.isSafe) == [.get, .head, .options, .query, .trace])
    }
}
