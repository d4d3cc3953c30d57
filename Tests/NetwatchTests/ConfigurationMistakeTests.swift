import Netwatch
import Testing

/// What a person is told who has mistyped something.
@Suite("Mistakes in a configuration document")
struct ConfigurationMistakeTests {
    private static func mistake(in json: String) -> String {
        do throws(ConfigurationError) {
            _ = try ConfigurationDocument(json: json).configuration()
            return "no mistake"
        } catch {
            return error.description
        }
    }

    @Test(
        "a key that stands twice is refused with both places",
        arguments: [
            (
                "{\"interval\": 5,\n \"interval\": 6}",
                "\"interval\" stands twice, in line 1, column 2 and in line 2, column 2"
            ),
            (
                #"{"targets": [{"url": "http://a/"}, {"url": "http://b/", "url": "http://c/"}]}"#,
                "\"targets[1].url\" stands twice"
            ),
            (#"{"targets": [], "targets": []}"#, "\"targets\" stands twice"),
            (#"{"nameServers": {"eth0": [], "eth0": []}}"#, "\"nameServers.eth0\" stands twice"),
            (#"{"interval": 5, "int\u0065rval": 6}"#, "\"interval\" stands twice"),
            (#"{"damping": {"reuse": 1, "reuse": 1}}"#, "\"damping.reuse\" stands twice"),
            (
                #"{"targets": [{"url": "http://a/", "labels": {"a": "1", "a": "2"}}]}"#,
                "\"targets[0].labels.a\" stands twice"
            ),
        ])
    func duplicate(json: String, words: String) {
        #expect(Self.mistake(in: json).contains(words), "\(Self.mistake(in: json))")
    }

    @Test(
        "a value of a wrong kind is told with its place, what is expected and what is there",
        arguments: [
            (
                "{\n  \"interval\": \"soon\"\n}", "\"interval\"", "such as \"30s\"",
                "found \"soon\", in line 2, column 15"
            ),
            ("{\"interval\": true}", "\"interval\"", "such as \"30s\"", "found true, in line 1, column 14"),
            ("{\"interval\": [30]}", "\"interval\"", "such as \"30s\"", "found a list"),
            ("{\"interval\": \"-3s\"}", "\"interval\"", "more than 0", "found \"-3s\""),
            ("{\"interval\": -1e300}", "\"interval\"", "more than 0", "found -1e300"),
            ("{\"interval\": \"48h\"}", "\"interval\"", "at most 86400 s", "found \"48h\""),
            ("{\"interval\": \"0x10s\"}", "\"interval\"", "such as \"30s\"", "found \"0x10s\""),
            ("{\"interval\": 1e999}", "\"interval\"", "such as \"30s\"", "found 1e999"),
            ("{\"probes\": \"yes\"}", "\"probes\"", "expected true or false", "found \"yes\""),
            ("{\"probes\": 1}", "\"probes\"", "expected true or false", "found 1"),
            ("{\"targets\": {\"url\": \"http://a/\"}}", "\"targets\"", "expected a list of targets", "found an object"),
            ("{\"targets\": [\"http://a/\"]}", "\"targets[0]\"", "expected a target, {\"url\"", "found \"http://a/\""),
            ("{\"targets\": [null]}", "\"targets[0]\"", "expected a target", "found null"),
            ("{\"targets\": [{\"url\": 1}]}", "\"targets[0].url\"", "expected a URL", "found 1, in line 1, column 22"),
            ("{\"targets\": [{\n\"name\": \"a\"}]}", "\"targets[0].url\"", "it is missing", "line 1, column 14"),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"labels\": [\"a\"]}]}", "\"targets[0].labels\"",
                "names and values", "a list"
            ),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"labels\": {\"a\": 1}}]}", "\"targets[0].labels.a\"",
                "a string", "found 1"
            ),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"statuses\": 200}]}", "\"targets[0].statuses\"",
                "\"200-299,304\"", "found 200"
            ),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"statuses\": \"2xx\"}]}", "statuses", "\"200-299,304\"",
                "found \"2xx\""
            ),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"header\": \"X-Up\"}]}", "\"targets[0].header\"", "{\"name\"",
                "found \"X-Up\""
            ),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"json\": \"/a\"}]}", "\"targets[0].json\"", "{\"pointer\"",
                "found \"/a\""
            ),
            ("{\"targets\": [{\"url\": \"http://a/\", \"httpVersion\": 2}]}", "httpVersion", "1.1 or 2", "found 2"),
            (
                "{\"targets\": [{\"url\": \"http://a/\", \"role\": \"guest\"}]}", "role", "\"reference\"",
                "found \"guest\""
            ),
            (
                "{\"nameServers\": {\"eth0.100\": [\"192.0.2.1\", 5]}}", "\"nameServers.eth0.100[1]\"", "a string",
                "line 1, column 44"
            ),
            (
                "{\"nameServers\": {\"eth0\": \"192.0.2.1\"}}", "\"nameServers.eth0\"", "a list of servers",
                "found \"192.0.2.1\""
            ),
            ("{\"metered\": \"wwan0\"}", "\"metered\"", "[\"wwan0\"]", "found \"wwan0\""),
            ("{\"rise\": \"2\"}", "\"rise\"", "a whole number", "found \"2\""),
            ("{\"jitter\": \"0.1\"}", "\"jitter\"", "a number", "found \"0.1\""),
            ("{\"jitter\":\n\n 2}", "\"jitter\"", "0 to 1", "line 3, column 2"),
            ("{\"damping\": true}", "\"damping\"", "an object such as", "found true"),
            ("{\"policy\": 3}", "\"policy\"", "{\"quorum\": 1 or more}", "found 3"),
            ("{\"caFile\": [\"\\u001b[31m\"]}", "\"caFile\"", "the path of a file", "found a list"),
            ("{\"probes\": \"\\u001b[31m\"}", "\"probes\"", "true or false", "found \"\\u001b[31m\""),
        ])
    func wrongKind(json: String, key: String, expected: String, found: String) {
        let mistake = Self.mistake(in: json)
        for words in [key, expected, found] { #expect(mistake.contains(words), "\(mistake)") }
        for word in ["decode", "Double", "Dictionary", "Array", "Int"] {
            #expect(!mistake.contains(word), "\(mistake)")
        }
        #expect(!mistake.contains("\u{1B}"))
    }

    @Test(
        "an unknown key is told with its place and the one that was meant",
        arguments: [
            (#"{"intervall": 1}"#, "\"intervall\" is unknown, in line 1, column 2; did you mean \"interval\"?"),
            (#"{"retry_delay": 1}"#, "did you mean \"retryDelay\"?"), (#"{"TimeOut": 1}"#, "did you mean \"timeout\"?"),
            (#"{"target": []}"#, "did you mean \"targets\"?"), (#"{"cafile": "/a"}"#, "did you mean \"caFile\"?"),
            (#"{"targets": [{"uri": "http://a/"}]}"#, "did you mean \"url\"?"),
            (#"{"targets": [{"url": "http://a/", "status": "200"}]}"#, "did you mean \"statuses\"?"),
            (#"{"targets": [{"url": "http://a/", "ehader": {}}]}"#, "did you mean \"header\"?"),
            (#"{"damping": {"halflife": 3}}"#, "\"damping.halflife\" is unknown"),
            (#"{"policy": {"qorum": 3}}"#, "did you mean \"quorum\"?"),
        ])
    func unknown(json: String, words: String) {
        #expect(Self.mistake(in: json).contains(words), "\(Self.mistake(in: json))")
    }

    @Test("a key that is like none is told with all that are known")
    func unlike() {
        let mistake = Self.mistake(in: #"{"colour": "blue"}"#)
        #expect(mistake.contains("\"colour\" is unknown, in line 1, column 2; known are caFile, damping"), "\(mistake)")
        #expect(!mistake.contains("did you mean"))
    }

    @Test(
        "a key that means nothing for the kind of target is refused",
        arguments: [
            ("icmp://192.0.2.1", #""statuses": "200""#, "only http and https can have it"),
            ("icmp://192.0.2.1", #""body": "x""#, "only http, https and dns can have an expected body"),
            ("icmp://192.0.2.1", #""expect": "204""#, "only http, https and dns"),
            ("dns://192.0.2.1/example.org", #""expect": "204""#, "only http and https can answer so"),
            ("dns://192.0.2.1/example.org", #""expect": "challenge""#, "only http and https can answer so"),
            ("icmp://192.0.2.1", #""proxy": "http://p:1""#, "only http, https and tls can go through one"),
            ("tcp://192.0.2.1:80", #""method": "POST""#, "its scheme is tcp"),
            ("tcp://192.0.2.1:80", #""headers": {"A": "b"}"#, "only http and https"),
            ("tcp://192.0.2.1:80", #""header": {"name": "A", "value": "b"}"#, "only http and https"),
            ("tcp://192.0.2.1:80", #""certificateDays": 3"#, "only https and tls have a certificate"),
            ("tls://192.0.2.1:443", #""statuses": "200""#, "only http and https"),
            ("tls://192.0.2.1:443", #""json": {"pointer": ""}"#, "expected body"),
            ("tls://192.0.2.1:443", #""maximumBodySize": 5"#, "its scheme is tls"),
            ("dns://192.0.2.1/a.test", #""statuses": "200""#, "only http and https"),
            ("dns://192.0.2.1/a.test", #""httpVersion": "2""#, "only http and https"),
            ("HTTP://a.test/", #""certificateDays": 3"#, "its scheme is http, and only https and tls"),
        ])
    func misfit(url: String, member: String, words: String) {
        let mistake = Self.mistake(in: #"{"targets": [{"url": "\#(url)", \#(member)}]}"#)
        #expect(mistake.contains(words), "\(mistake)")
        #expect(mistake.contains("\"targets[0]."))
        #expect(mistake.contains("line 1"))
    }

    @Test("a key that is null counts as left out, whatever the kind of target")
    func null() throws {
        let json = #"{"interval": null, "targets": [{"url": "icmp://192.0.2.1", "statuses": null, "name": null}]}"#
        let configuration = try ConfigurationDocument(json: json).configuration()
        #expect(configuration.interval == .seconds(60))
        #expect(configuration.targets.count == 1)
    }

    @Test(
        "times are written as on the command line, or as numbers of seconds",
        arguments: [
            (#""30s""#, Duration.seconds(30)), (#""500ms""#, .milliseconds(500)), (#""5m""#, .seconds(300)),
            (#""1h""#, .seconds(3600)), (#""1.5s""#, .milliseconds(1500)), (#""30""#, .seconds(30)),
            ("30", .seconds(30)),
            ("0.25", .milliseconds(250)), ("1e1", .seconds(10)),
        ])
    func times(text: String, expected: Duration) throws {
        let json = """
            {"interval": \(text), "timeout": \(text), "retryDelay": \(text), "damping": {"halfLife": \(text)},
             "traffic": {"interval": \(text)}, "targets": [{"url": "http://a/", "interval": \(text), "timeout": \(text)}]}
            """
        let configuration = try ConfigurationDocument(json: json).configuration()
        let target = try #require(configuration.targets.first)
        #expect(configuration.interval == expected && configuration.timeout == expected)
        #expect(configuration.retryDelay == expected && configuration.damping?.halfLife == expected)
        #expect(configuration.traffic?.interval == expected)
        #expect(target.interval == expected && target.timeout == expected)
    }

    @Test("strings hold every escape of JSON")
    func escapes() throws {
        let json =
            #"{"targets": [{"url": "http:\/\/a/", "name": "a\"\\\u00e9\ud83d\ude00", "requestBody": "\b\f\n\r\t"}]}"#
        let target = try #require(try ConfigurationDocument(json: json).configuration().targets.first)
        #expect(target.name == "a\"\\é😀")
        #expect(target.requestBody == "\u{8}\u{C}\n\r\t")
    }

    @Test(
        "what is no JSON is refused with its place",
        arguments: [
            (#"{"interval": 01}"#, "'01' is no value"), (#"{"interval": 1.}"#, "'1.' is no value"),
            (#"{"interval": +1}"#, "'+1' is no value"), (#"{"interval": .5}"#, "'.5' is no value"),
            (#"{"targets": [{"url": "\ud83d"}]}"#, "half of a character"), (#"{"a\x": 1}"#, "cannot escape"),
            (#"{"interval": 1,}"#, "expected a key"), (#"{"metered": ["a",]}"#, "expected a value, found ]"),
            (#"{"interval" 1}"#, "expected : after the key"),
            (String(repeating: "[", count: 100_000), "nested deeper than 128 levels"),
            (String(repeating: "{\"targets\":", count: 100_000), "nested deeper than 128 levels"),
        ])
    func syntax(json: String, words: String) {
        let mistake = Self.mistake(in: json)
        #expect(mistake.contains(words), "\(mistake.prefix(300))")
        #expect(mistake.count < 400)
    }
}
