import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Parameters as a query")
struct QueryEncodingTests {
    private let encoding = QueryEncoding()

    @Test(
        "every kind of value comes out as AFNetworking writes it",
        arguments: [
            ([:], ""), (["key": "value"], "key=value"), (["a": "1", "b": "2"], "a=1&b=2"),
            (["b": 2, "a": 1], "a=1&b=2"), (["k": 1.5], "k=1.5"), (["k": 1.0], "k=1"), (["k": -7], "k=-7"),
            (["k": true], "k=1"), (["k": false], "k=0"), (["k": nil], "k"), (["k": ""], "k="),
            (["key1": "ä"], "key1=%C3%A4"),
            (
                ["key1": "value1", "key2": ["key": [1, "value"]]],
                "key1=value1&key2%5Bkey%5D%5B%5D=1&key2%5Bkey%5D%5B%5D=value"
            ),
            (["k": [1, 2]], "k%5B%5D=1&k%5B%5D=2"), (["k": [["s": 1], ["s": 2]]], "k%5B%5D%5Bs%5D=1&k%5B%5D%5Bs%5D=2"),
            (["k": [[1], [2]]], "k%5B%5D%5B%5D=1&k%5B%5D%5B%5D=2"), (["o": ["z": 1, "a": 2]], "o%5Ba%5D=2&o%5Bz%5D=1"),
            (["k": .set(["b", "a", "c"])], "k=a&k=b&k=c"), (["k": .set([2, 10])], "k=10&k=2"),
            (["a": [], "b": [:], "c": .set([])], ""), (["o": ["n": nil]], "o%5Bn%5D"),
            (["k": [nil, 1]], "k%5B%5D&k%5B%5D=1"), (["k": .data(Data([0xFF]))], "k=/w%3D%3D"),
            (["B": 1, "a": 2, "Z": 3, "é": 4], "B=1&Z=3&a=2&%C3%A9=4"), (["": 1], "=1"),
            (["k": .unsigned(.max)], "k=18446744073709551615"),
        ] as [(Parameters, String)])
    func standard(parameters: Parameters, query: String) {
        #expect(encoding.query(parameters) == query)
    }

    @Test(
        "all but the unreserved characters, / and ? is escaped",
        arguments: [
            (":#[]@!$&'()*+,;=", "%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"), ("/?-._~aZ09", "/?-._~aZ09"),
            (" :#[]@!$&'()*+,;=/?", "%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"), ("%20", "%2520"),
            ("\0\n\u{7F}", "%00%0A%7F"), ("日本", "%E6%97%A5%E6%9C%AC"), ("\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ])
    func escaping(text: String, escaped: String) {
        #expect(PercentEncoding.escape(text) == escaped)
    }

    @Test("a long row of composed characters is escaped whole")
    func composedCharacters() {
        let families = String(repeating: "👨‍👩‍👧‍👦👴🏿", count: 10_000)
        let escaped = PercentEncoding.escape(families)
        #expect(escaped.utf8.count == families.utf8.count * 3)
        #expect(escaped.removingPercentEncoding == families)
    }

    @Test("every byte of every text survives the way there and back, over 2000 seeded texts")
    func property() {
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<2000 {
            let text = generator.text(maximum: 40)
            let escaped = PercentEncoding.escape(text)
            #expect(escaped.removingPercentEncoding == text)
            #expect(escaped.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"#[]@!$&'()*+,;=:".utf8.contains($0) })
        }
    }

    @Test("array styles")
    func arrayStyles() {
        #expect(query(["k": [1, 2]]) { $0.arrays = .none } == "k=1&k=2")
        #expect(query(["k": ["a", ["b"]]]) { $0.arrays = .index } == "k%5B0%5D=a&k%5B1%5D%5B0%5D=b")
    }

    @Test("the other styles")
    func otherStyles() {
        #expect(query(["k": [true, false]]) { $0.booleans = .literal } == "k%5B%5D=true&k%5B%5D=false")
        #expect(query(["k": nil, "l": 1]) { $0.nulls = .dropped } == "l=1")
        #expect(query(["k": nil]) { $0.nulls = .empty } == "k=")
        #expect(query(["a b": "c +d"]) { $0.spaces = .plus } == "a+b=c+%2Bd")
        #expect(query(["b": 1, "a": 2]) { $0.keyOrder = .given } == "b=1&a=2")
        #expect(query(["o": ["i": ["j": 1]]]) { $0.nesting = .dots } == "o.i.j=1")
    }

    @Test("the query is the same whatever the order of a set's members, over seeded sets")
    func stableSets() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let members = (0..<8).map { _ in Parameter.string(generator.text(maximum: 4)) }
            let one = Parameters([("k", .set(Set(members)))])
            let other = Parameters([("k", .set(Set(members.reversed())))])
            #expect(encoding.query(one) == encoding.query(other))
        }
    }

    private func query(_ parameters: Parameters, _ change: (inout QueryEncoding) -> Void) -> String {
        var encoding = encoding
        change(&encoding)
        return encoding.query(parameters)
    }
}

@Suite("A query in a URL")
struct URLQueryTests {
    @Test(
        "it goes after the query there is, and before the fragment",
        arguments: [
            ("http://h", "http://h?a=1"), ("http://h/", "http://h/?a=1"), ("http://h/p?x=2", "http://h/p?x=2&a=1"),
            ("http://h/p#f", "http://h/p?a=1#f"), ("http://h/p?x#f?g", "http://h/p?x&a=1#f?g"),
            ("http://h/p?", "http://h/p?a=1"), ("http://h/p?x&", "http://h/p?x&a=1"),
            ("http://h/p#", "http://h/p?a=1#"),
            ("http://h/%20?q=%5B", "http://h/%20?q=%5B&a=1"),
        ])
    func place(url: String, expected: String) throws {
        #expect(try #require(URL(string: url)).appendingQuery("a=1").absoluteString == expected)
    }

    @Test("an empty query leaves the URL as it is")
    func empty() throws {
        #expect(try #require(URL(string: "http://h/p")).appendingQuery("").absoluteString == "http://h/p")
    }

    @Test("a query that is none is refused")
    func refused() throws {
        let url = try #require(URL(string: "http://h/"))
        #expect(throws: RequestSerializationError.self) { try url.appendingQuery("a b\r\n") }
    }
}
