import Connectivity
import Netwatch
import NetwatchService
import Testing

@Suite("A configuration document in YAML")
struct YAMLTests {
    private static func configuration(_ yaml: String) throws -> ConnectivityConfiguration {
        try ConfigurationDocument.configuration(of: YAMLParser.parse(yaml))
    }

    /// What a person is told.
    private static func mistake(in yaml: String) -> String {
        do throws(ConfigurationError) {
            let root = try YAMLParser.parse(yaml)
            do throws(ConfigurationError) {
                _ = try ConfigurationDocument.configuration(of: root)
                return "no mistake"
            } catch {
                throw error.placed(in: root, of: yaml)
            }
        } catch {
            return error.description
        }
    }

    @Test("a text without quotes has the type that its key wants")
    func types() throws {
        let configuration = try Self.configuration(
            """
            interval: 30s       # a comment
            retryDelay: 2
            perFamily: true
            jitter: 0.5
            targets:
              - name: no
                url: http://192.0.2.9/
                httpVersion: 2
                expect: 204
                labels: {country: no, zip: 012, version: 1.10, on: off, empty: "", quoted: 'true'}
              - url: http://192.0.2.9/?b
                json: {pointer: /a, equals: 12}
              - {url: "http://192.0.2.9/?c", json: {pointer: /a, equals: yes}}
            """)
        #expect(configuration.interval == .seconds(30))
        #expect(configuration.retryDelay == .seconds(2))
        #expect(configuration.perFamily)
        #expect(configuration.jitter == 0.5)
        #expect(configuration.targets.map(\.name) == ["no", "http://192.0.2.9/?b", "http://192.0.2.9/?c"])
        #expect(configuration.targets[0].httpVersion == .http2)
        #expect(configuration.targets[0].expectation.kind == .noContent)
        #expect(
            configuration.targets[0].labels
                == ["country": "no", "zip": "012", "version": "1.10", "on": "off", "empty": "", "quoted": "true"])
        #expect(configuration.targets[1].expectation.body == .json(JSONMatch(pointer: "/a", value: "12")))
        #expect(configuration.targets[2].expectation.body == .json(JSONMatch(pointer: "/a", value: "\"yes\"")))
    }

    @Test(
        "what says nothing is the default",
        arguments: ["", "\n\n", "# only\n# comments\n", "---\n", "{}", "interval:\n"])
    func nothing(yaml: String) throws {
        #expect(try Self.configuration(yaml) == ConnectivityConfiguration())
    }

    @Test("a JSON document means the same in YAML")
    func json() throws {
        let json = #"""
            {"interval": 30, "perInterface": true, "policy": {"quorum": 1}, "damping": null, "targets": [
              {"name": "shop \u00e4", "url": "https://shop.example/", "json": {"pointer": "/s", "equals": "1"}},
              {"url": "http://192.0.2.1/", "statuses": "200-299,304", "headers": {"A": "b: c"}, "body": "a\\.b"}]}
            """#
        #expect(try Self.configuration(json) == ConfigurationDocument(json: json).configuration())
    }

    @Test(
        "what readers take differently is refused, with its place",
        arguments: [
            ("interval: 1s\ninterval: 2s\n", "\"interval\" stands twice, in line 1, column 1 and in line 2, column 1"),
            ("damping:\n  reuse: 1\n  reuse: 1\n", "\"damping.reuse\" stands twice"),
            ("{\"a\": 1, 'a': 2}", "\"a\" stands twice"), ("intervall: 1", "did you mean \"interval\"?"),
            ("probes: no", "expected true or false, found no, in line 1, column 9"),
            ("probes: True", "expected true or false, found True"), ("rise: 012", "found 012"),
            ("rise: 0x10", "found 0x10"), ("rise: 1_0", "found 1_0"), ("rise: \"2\"", "found \"2\""),
            ("jitter: .inf", "found .inf"), ("interval: 1:30", "found 1:30"),
            ("# ä\nä: 1", "\"ä\" is unknown, in line 2, column 1"),
            ("targets:\n\t- url: http://a/", "a tab stands here; use blanks"),
            (
                "interval:\t3",
                "a tab stands here; use blanks, and quotes round a text with a tab in it, in line 1, column 10"
            ),
            ("metered: [a,\tb]", "a tab stands here"), ("caFile: a\tb", "a tab stands here"),
            ("interval: &a 3", "&NAME marks a place"), ("interval: *a", "*NAME refers to another place"),
            ("interval: !!int 3", "!TAG gives a type"), ("targets: !x []", "!TAG gives a type"),
            ("? [a]\n: 1", "a key has to be a word"),
            ("interval: 3\n---\ninterval: 4", "a second document begins here"),
            ("[1]", "expected keys with values"), ("just text", "expected keys with values"),
            ("interval: 1: 2", "indent it as its neighbours"),
            ("caFile: \"a\nrise: 1\n", "the text in quotes that begins here does not end, in line 1, column 9"),
            ("caFile: \u{7}", "control characters are not allowed"), ("  rise: 1\nfall: 1", "cannot be read: "),
            ("@a: 1", "a text that begins with this character needs quotes, in line 1, column 1"),
        ])
    func refusals(yaml: String, words: String) {
        #expect(Self.mistake(in: yaml).contains(words), "\(Self.mistake(in: yaml))")
    }

    @Test(
        "tabs in quotes, in block texts and in comments are texts",
        arguments: [
            "caFile: \"a\tb\"\n", "# a\tb\nrise: 1 #\tc\n", "caFile: |\n  a\tb\n", "caFile: 'a\tb'\n",
        ])
    func tabs(yaml: String) {
        #expect(Self.mistake(in: yaml) == "no mistake")
    }

    @Test("a hundred levels are read, and no more", arguments: [(99, "is unknown"), (101, "deeper than 100 levels")])
    func depth(levels: Int, words: String) {
        for (open, close) in [("[", "]"), ("{a: ", "}")] {
            let nested = String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
            #expect(Self.mistake(in: "x: \(nested)").contains(words))
        }
        let unfinished = Self.mistake(in: "x: " + String(repeating: "[", count: 1_000_000))
        #expect(unfinished.contains("deeper than 100 levels"))
    }

    @Test("ten thousand targets are read")
    func many() throws {
        let yaml = "targets:\n" + (0..<10_000).map { "  - url: http://192.0.2.9/\($0)\n" }.joined()
        #expect(try Self.configuration(yaml).targets.count == 10_000)
    }
}
