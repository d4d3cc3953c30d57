import RequestCore
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "a content type is trimmed and in small letters",
        arguments: [
            ("text/html", "text/html", nil), (" Text/HTML ; charset=UTF-8", "text/html", "utf-8"),
            ("text/plain ; charset=\"Shift_JIS\"", "text/plain", "shift_jis"),
            ("text/plain;;charset=a;", "text/plain", "a"), ("application/json;x=\"a\\\"b;c\"", "application/json", nil),
            ("image/svg+xml", "image/svg+xml", nil), ("text/json; charset", "text/json", nil),
            ("text/json; charset=", "text/json", nil), ("text/json; charset; charset=a", "text/json", "a"),
            ("text/json; profile=http://a/b?c=d; charset=a", "text/json", "a"),
        ] as [(String, String, String?)])
    func reading(text: String, essence: String, charset: String?) throws {
        let type = try #require(MediaType(text))
        #expect(type.essence == essence)
        #expect(type.charset == charset)
    }

    @Test(
        "what is no media type is none",
        arguments: [
            "", " ", "text", "text/", "/html", "a/b/c", "a b/c", "text/html garbage", "text/html;charset=\"a",
            "a/b; c d", "a/b; c=d e", "a/b; c=d, e/f",
        ])
    func refused(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(
        "patterns match by halves",
        arguments: [
            ("*/*", true), ("image/*", true), ("*/png", true), ("image/png", true), ("image/gif", false),
            ("text/*", false), ("*/gif", false),
        ])
    func matching(pattern: String, matches: Bool) throws {
        #expect(MediaType("image", "png").matches(try #require(MediaType(pattern))) == matches)
    }

    @Test("parameters are written quoted where they need it, and read back the same")
    func roundTrip() throws {
        let type = try #require(MediaType("a/b; x=\"q \\\\ \\\" ;\"; y=z"))
        #expect(type["x"] == "q \\ \" ;")
        #expect(type.description == "a/b; x=\"q \\\\ \\\" ;\"; y=z")
        #expect(MediaType(type.description) == type)
    }

    @Test("a quote that bears a mark is escaped like any other")
    func markedQuote() throws {
        let text = "a/b; x=\"q\\\"\u{301};y=\""
        let type = try #require(MediaType(text))
        #expect(type.description == text)
    }

    @Test("hostile text is refused without end or crash")
    func hostile() {
        #expect(MediaType("a/b" + String(repeating: ";", count: 100_000))?.parameters == [])
        #expect(MediaType("a/b;x=\"" + String(repeating: "\\", count: 100_001)) == nil)
    }
}

@Suite("The languages of the environment")
struct AcceptLanguageTests {
    @Test(
        "a locale becomes a tag",
        arguments: [
            (["LANG": "de_AT.UTF-8@euro"], "de-AT;q=1"), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil),
            ([:], nil),
            (["LANG": "en_US.UTF-8", "LC_ALL": "fr_FR"], "fr-FR;q=1"),
            (["LANG": "en_US.UTF-8", "LC_ALL": ""], "en-US;q=1"),
            (["LANG": "de_DE", "LANGUAGE": "de_CH:de:en"], "de-CH;q=1, de;q=0.9, en;q=0.8"),
            (["LANG": "C", "LANGUAGE": "de:en"], nil), (["LANGUAGE": "de"], nil),
            (
                ["LANG": "a", "LANGUAGE": "a:b:c:d:e:f:g:h"],
                "a;q=1, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"
            ),
            (["LANG": "en\r\nHost: evil"], nil), (["LANG": "*"], nil),
        ] as [([String: String], String?)])
    func header(environment: [String: String], value: String?) {
        #expect(AcceptLanguage(environment: environment).headerValue == value)
    }

    @Test("a user agent is one line of printable ASCII that names the kernel")
    func userAgent() throws {
        let agent = UserAgent(product: "nétwatch\r\nHost: evil", version: "1.0").description
        #expect(agent.hasPrefix("ntwatchHost: evil/1.0 (Linux "))
        try (["User-Agent": agent] as HeaderFields).validate()
        #expect(!UserAgent.program.description.isEmpty)
    }
}
