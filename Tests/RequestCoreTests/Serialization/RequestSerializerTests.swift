import FoundationEssentials
import RequestCore
import Testing

@Suite("Requests with parameters")
struct RequestSerializerTests {
    private let form = HTTPRequestSerializer(headers: ["User-Agent": "test"])

    @Test(
        "parameters of GET, HEAD and DELETE stand in the query", arguments: ["GET", "HEAD", "DELETE", "get", "Delete"])
    func inURL(method: String) throws {
        let request = try form.request(
            RequestMethod(rawValue: method), "http://h/p?x=1#f", parameters: ["key": "value"])
        #expect(request.url.absoluteString == "http://h/p?x=1&key=value#f")
        #expect(request.body == nil)
        #expect(request.headers["Content-Type"] == nil)
    }

    @Test("parameters of the other methods stand in a form", arguments: ["POST", "PUT", "PATCH", "PURGE"])
    func inBody(method: String) throws {
        let request = try form.request(RequestMethod(rawValue: method), "http://h/p", parameters: ["b": 2, "a": ["x"]])
        #expect(request.url.absoluteString == "http://h/p")
        #expect(request.text == "a%5B%5D=x&b=2")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test("without parameters the form is empty and still one", arguments: [nil, [:]] as [Parameters?])
    func emptyForm(parameters: Parameters?) throws {
        let request = try form.request(.post, "http://h/p", parameters: parameters)
        #expect(request.text == "")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test("an empty query leaves the URL alone", arguments: [nil, [:], ["a": []]] as [Parameters?])
    func emptyQuery(parameters: Parameters?) throws {
        #expect(try form.request(.get, "http://h/p", parameters: parameters).url.absoluteString == "http://h/p")
    }

    @Test("the methods whose parameters stand in the URL are a choice")
    func otherMethods() throws {
        var serializer = form
        serializer.methodsEncodingParametersInURL = [.post]
        #expect(try serializer.request(.post, "http://h/", parameters: ["a": 1]).url.query() == "a=1")
        #expect(try serializer.request(.get, "http://h/", parameters: ["a": 1]).text == "a=1")
    }

    @Test("a default header is set unless the request has it, and a header of the call replaces both")
    func headers() throws {
        var request = Request(url: try #require(URL(string: "http://h/")), headers: ["user-agent": "mine"])
        request = try form.serialize(nil, into: request)
        #expect(request.headers.values(of: "User-Agent") == ["mine"])
        let other = try form.request(.get, "http://h/", headers: ["USER-AGENT": "call", "X": "1"])
        #expect(other.headers.values(of: "User-Agent") == ["call"])
        #expect(other.headers["X"] == "1")
    }

    @Test("several fields of one name all go out, the serializer's and those of the call")
    func repeatedHeaders() throws {
        let fields: HeaderFields = ["Prefer": "return=minimal", "Prefer": "respond-async"]
        let values = ["return=minimal", "respond-async"]
        let own = try HTTPRequestSerializer(headers: fields).request(.get, "http://h/")
        #expect(own.headers.values(of: "Prefer") == values)
        #expect(try form.request(.get, "http://h/", headers: fields).headers.values(of: "prefer") == values)
    }

    @Test("a content type of the request stays")
    func contentType() throws {
        let url = try #require(URL(string: "http://h/"))
        let request = Request(url: url, method: .post, headers: ["Content-Type": "text/x-own"])
        #expect(try form.serialize(["a": 1], into: request).headers.values(of: "Content-Type") == ["text/x-own"])
        #expect(try JSONRequestSerializer().serialize(["a": 1], into: request).headers["Content-Type"] == "text/x-own")
    }

    @Test("the caller's own query is asked for empty parameters, not for none")
    func customQuery() throws {
        var serializer = form
        serializer.query = .custom { request, parameters in
            "\(request.method)-\(parameters.map { "\($0.name)**\($0.value.stringValue)" }.joined())"
        }
        #expect(try serializer.request(.get, "http://h/", parameters: ["key": "value"]).url.query() == "GET-key**value")
        #expect(try serializer.request(.post, "http://h/", parameters: ["key": "value"]).text == "POST-key**value")
        #expect(try serializer.request(.get, "http://h/", parameters: [:]).url.query() == "GET-")
        #expect(try serializer.request(.get, "http://h/").url.query() == nil)
    }

    @Test("the caller's own query may fail, with its own error")
    func failingQuery() throws {
        struct Failure: Error {}
        var serializer = form
        serializer.query = .custom { _, _ in throw Failure() }
        let error = try #require(throws: RequestSerializationError.self) {
            try serializer.request(.get, "http://h/", parameters: [:])
        }
        guard case .querySerialization(let underlying) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(underlying is Failure)
    }

    @Test("time-outs are set where the request has none")
    func timeouts() throws {
        var serializer = form
        serializer.timeouts = Timeouts(idle: .seconds(5), total: .seconds(9))
        var request = Request(url: try #require(URL(string: "http://h/")))
        request.timeouts.idle = .seconds(1)
        request = try serializer.serialize(nil, into: request)
        #expect(request.timeouts == Timeouts(connect: nil, idle: .seconds(1), total: .seconds(9)))
        #expect(try form.request(.get, "http://h/").timeouts == Timeouts())
    }

    @Test(
        "what is no absolute HTTP URL is refused",
        arguments: [
            "", "url", "/path", "ftp://h/", "http://", "http:///p", "http://exa mple/", "http://[::1", "h/p", "http:p",
        ])
    func invalidURL(url: String) throws {
        let error = try #require(throws: RequestSerializationError.self) { try form.request(.get, url) }
        guard case .invalidURL(url) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("a header or method that breaks its line is refused")
    func injection() {
        #expect(throws: RequestSerializationError.self) {
            try form.request(.get, "http://h/", headers: ["X": "1\r\nHost: evil"])
        }
        #expect(throws: RequestSerializationError.self) { try form.request("GET / HTTP/1.1\r\n", "http://h/") }
    }

    @Test("credentials go out with every request until they are cleared")
    func authorization() throws {
        var serializer = form
        try serializer.setAuthorization(user: "user", password: "pass:word")
        #expect(try serializer.request(.get, "http://h/").headers["Authorization"] == "Basic dXNlcjpwYXNzOndvcmQ=")
        #expect(throws: RequestSerializationError.self) { try serializer.setAuthorization(user: "a:b", password: "") }
        serializer.clearAuthorization()
        #expect(try serializer.request(.get, "http://h/").headers["Authorization"] == nil)
    }
}

extension Request {
    /// The body as text, where it is in memory.
    var text: String? {
        guard case .data(let data) = body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

extension Parameter {
    fileprivate var stringValue: String {
        if case .string(let value) = self { value } else { "" }
    }
}

@Suite("Requests with JSON and property lists")
struct StructuredRequestSerializerTests {
    private let json = JSONRequestSerializer()
    private let list = PropertyListRequestSerializer()

    @Test("parameters become a JSON object in their order")
    func object() throws {
        let request = try json.request(
            .post, "http://h/", parameters: ["b": [1, 2.5, true, nil], "a": ["/": "é\"\u{1}"], "c": 3.0])
        #expect(request.text == #"{"b":[1,2.5,true,null],"a":{"\/":"é\"\u0001"},"c":3}"#)
        #expect(request.headers["Content-Type"] == "application/json")
    }

    @Test("options sort the names and leave slashes alone")
    func options() throws {
        var options = JSONWritingOptions()
        options.sortsNames = true
        options.escapesSlashes = false
        let serializer = JSONRequestSerializer(options: options)
        #expect(try serializer.request(.post, "http://h/", parameters: ["b": "/", "a": 1]).text == #"{"a":1,"b":"/"}"#)
    }

    @Test("an array may be the whole body")
    func array() throws {
        let request = Request(url: try #require(URL(string: "http://h/")), method: .put)
        #expect(try json.serialize([1, "a"] as Parameter, into: request).text == #"[1,"a"]"#)
    }

    @Test("without parameters there is no body and no content type")
    func nothing() throws {
        for request in [try json.request(.post, "http://h/"), try list.request(.post, "http://h/")] {
            #expect(request.body == nil)
            #expect(request.headers["Content-Type"] == nil)
            #expect(request.headers["User-Agent"] != nil)
        }
        #expect(try json.request(.post, "http://h/", parameters: [:]).text == "{}")
    }

    @Test("methods without a body have their parameters in the query")
    func query() throws {
        #expect(try json.request(.get, "http://h/", parameters: ["a": [1]]).url.query() == "a%5B%5D=1")
        #expect(try list.request(.delete, "http://h/", parameters: ["a": true]).url.query() == "a=1")
    }

    @Test(
        "what JSON has none of is refused with its place",
        arguments: [
            (["a": ["b": [1, .set([1])]]], "a.b[1]"), (["d": .data(Data())], "d"), (["n": .number(.nan)], "n"),
            (["i": .number(.infinity)], "i"),
        ] as [(Parameters, String)])
    func invalidJSON(parameters: Parameters, place: String) throws {
        let error = try #require(throws: RequestSerializationError.self) {
            try json.request(.post, "http://h/", parameters: parameters)
        }
        guard case .invalidParameters(place, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("a text alone is no JSON body")
    func fragment() throws {
        let request = Request(url: try #require(URL(string: "http://h/")), method: .put)
        #expect(throws: RequestSerializationError.self) { try json.serialize(.string("x"), into: request) }
    }

    @Test("parameters become a property list that reads back")
    func propertyList() throws {
        let request = try list.request(
            .post, "http://h/", parameters: ["key": "value", "n": [1, 2.5, true], "d": .data(Data([1, 2]))])
        #expect(request.headers["Content-Type"] == "application/x-plist")
        let text = try #require(request.text)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        #expect(text.contains("<key>key</key>\n\t<string>value</string>"))
        #expect(text.contains("<real>2.5</real>") && text.contains("<true/>") && text.contains("<data>"))
    }

    @Test("a binary property list begins with its mark")
    func binaryPropertyList() throws {
        let serializer = PropertyListRequestSerializer(format: .binary)
        let request = try serializer.request(.post, "http://h/", parameters: ["a": 1])
        guard case .data(let data) = request.body else {
            Issue.record()
            return
        }
        #expect(data.starts(with: Array("bplist00".utf8)))
    }

    @Test("what a property list has none of is refused with its place")
    func invalidPropertyList() throws {
        let parameters: [(Parameters, String)] = [(["a": [nil]], "a[0]"), (["s": .set([1])], "s")]
        for (parameters, place) in parameters {
            let error = try #require(throws: RequestSerializationError.self) {
                try list.request(.post, "http://h/", parameters: parameters)
            }
            guard case .invalidParameters(place, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
