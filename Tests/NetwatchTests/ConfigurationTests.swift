import Netwatch
import Testing

@Suite("The configuration document")
struct ConfigurationTests {
    @Test("every key ends in the configuration")
    func everyKey() throws {
        let configuration = try ConfigurationDocument(
            json: """
                {"interval": 10, "jitter": 0.2, "retryDelay": 2, "timeout": 4, "rise": 2, "fall": 3, "staleIntervals": 5,
                 "perInterface": true, "perFamily": true, "policy": {"quorum": 1}, "uplinkPolicy": "any",
                 "nameServers": {"eth0": ["192.0.2.1", "[2001:db8::1]:5353"]}, "maximumProbesInFlight": 8,
                 "portalAPIs": {"wlan0": "https://portal.test/api"}, "metered": ["wwan0"],
                 "caFile": "/etc/ca.pem", "damping": {"penalty": 500, "halfLife": 30},
                 "targets": [
                   {"url": "https://a.test/", "name": "a", "role": "reference", "method": "POST",
                    "headers": {"X-A": "b"}, "requestBody": "hello", "httpVersion": "2", "redirects": 3,
                    "proxy": "http://proxy.test:3128", "timeout": 1.5, "interval": 0.5, "jitter": 0.3,
                    "retries": 2, "medium": "wifi", "family": "ipv6",
                    "public": true, "weight": 7, "labels": {"team": "net"}, "statuses": "200-299,304",
                    "json": {"pointer": "/status", "equals": "up"}, "header": {"name": "X-Up", "value": "yes"},
                    "certificateDays": 14, "maximumBodySize": 4096},
                   {"url": "tls://b.test:853", "interface": "eth0", "eachAddress": true},
                   {"url": "http://c.test/", "expect": "body", "body": "success"}
                 ]}
                """
        ).configuration()
        #expect(configuration.interval == .seconds(10))
        #expect(configuration.jitter == 0.2)
        #expect(configuration.staleIntervals == 5)
        #expect(configuration.policy == .quorum(1))
        #expect(configuration.portalAPIs == ["wlan0": "https://portal.test/api"])
        #expect(configuration.metered == ["wwan0"])
        #expect(configuration.uplinkPolicy == .any)
        #expect(configuration.nameServers["eth0"]?.map(\.description) == ["192.0.2.1:53", "[2001:db8::1]:5353"])
        #expect(configuration.maximumProbesInFlight == 8)
        let first = try #require(configuration.targets.first)
        #expect(first.requestBody == "hello")
        #expect(first.httpVersion == .http2)
        #expect(first.redirects == 3)
        #expect(first.proxy == "http://proxy.test:3128")
        #expect(first.interval == .milliseconds(500))
        #expect(first.jitter == 0.3)
        #expect(first.retries == 2)
        #expect(first.medium == .wifi)
        #expect(first.isPublic)
        #expect(!first.eachAddress && configuration.targets[1].eachAddress)
        #expect(first.weight == 7)
        #expect(first.maximumBodySize == 4096)
        #expect(first.expectation.body == .json(JSONMatch(pointer: "/status", value: "\"up\"")))
        #expect(first.expectation.header == Expectation.Header(name: "X-Up", value: "yes"))
        #expect(first.expectation.certificateDays == 14)
        #expect(configuration.damping?.penalty == 500)
        #expect(configuration.damping?.suppress == 2500)
        #expect(configuration.damping?.halfLife == .seconds(30))
        #expect(configuration.targets[1].interface == "eth0")
        #expect(configuration.targets[1].interval == nil)
        #expect(configuration.targets[1].retries == nil)
        #expect(configuration.targets[2].expectation == .body("success"))
    }

    @Test(
        "the host's own traffic is looked at not at all, when a probe is due, or every so often",
        arguments: [
            ("{}", nil), (#"{"traffic": false}"#, nil), (#"{"traffic": true}"#, TrafficConfiguration()),
            (#"{"traffic": {}}"#, TrafficConfiguration()),
            (#"{"traffic": {"interval": 0.5}}"#, TrafficConfiguration(interval: .milliseconds(500))),
        ] as [(String, TrafficConfiguration?)])
    func traffic(json: String, expected: TrafficConfiguration?) throws {
        #expect(try ConfigurationDocument(json: json).configuration().traffic == expected)
    }

    @Test(
        "a value that cannot be used is named with its place and the reason",
        arguments: [
            (#"{"targets": [{"url": "http://a/", "json": {"pointer": "status"}}]}"#, "targets[0]", "RFC 6901"),
            (#"{"targets": [{"url": "http://a/", "json": {"pointer": "/a", "equals": []}}]}"#, "equals", "a number"),
            (
                #"{"targets": [{"url": "http://a/", "json": {"pointer": "/a"}, "body": "x"}]}"#, "targets[0].json",
                "leave one"
            ),
            (#"{"targets": [{"url": "http://a/", "medium": "lan"}]}"#, "targets[0].medium", "lan"),
            (
                #"{"targets": [{"url": "http://a/", "medium": "wifi", "interface": "eth0"}]}"#, "targets[0]",
                "by its name"
            ),
            (#"{"targets": [{"url": "tcp://a:1", "proxy": "http://p:1"}]}"#, "targets[0]", "only http, https and tls"),
            (#"{"targets": [{"url": "http://a/", "proxy": "ftp://p:1"}]}"#, "targets[0]", "http://HOST:PORT"),
            (#"{"targets": [{"url": "http://a/", "proxy": "http://p"}]}"#, "targets[0]", "http://HOST:PORT"),
            (#"{"targets": [{"url": "http://a/", "httpVersion": "3"}]}"#, "targets[0]", "1.1 or 2"),
            (#"{"targets": [{"url": "http://a/", "redirects": 21}]}"#, "targets[0]", "at most 20"),
            (#"{"targets": [{"url": "http://a/", "certificateDays": 7}]}"#, "targets[0]", "only https and tls"),
            (#"{"targets": [{"url": "tls://a:1", "redirects": 1}]}"#, "targets[0]", "its scheme is tls"),
            (#"{"targets": [{"url": "tls://a"}]}"#, "targets[0]", "no port"),
            (#"{"targets": [{"url": "http://a/", "expect": "body"}]}"#, "targets[0].expect", "is missing"),
            (#"{"targets": [{"url": "http://a/"}, {"url": "http://a/"}]}"#, "cannot be used", "a name of its own"),
            (#"{"policy": "most"}"#, "policy", "quorum"),
            (#"{"policy": {"quorum": 0}}"#, "policy", "quorum"),
            (#"{"policy": {"quorum": 2}, "targets": [{"url": "http://a/"}]}"#, "policy.quorum", "never"),
            (#"{"policy": {"weight": 2}, "targets": [{"url": "http://a/"}]}"#, "policy.weight", "weigh 1"),
            ("", "not a JSON object", "empty"),
            ("[]", "not a JSON object", "begin with {"),
            ("null", "not a JSON object", "begin with {"),
            ("{\n  \"interval\": 3\n  \"rise\": 1\n}", "line 3, column 3", "expected ,"),
            ("{\"interval\": 3", "column 15", "it ends before the }"),
            ("{'interval': 3}", "column 2", "found '"),
            ("{\"targets\": [{\"url\": \"http", "column 22", "does not end"),
            ("{} x", "column 4", "more after its end"),
            ("{\"interval\": NaN}", "column 14", "'NaN'"),
            ("// mine\n{}", "line 1, column 1", "found /"),
            (#"{"rise": 1.5}"#, "\"rise\"", "expected a whole number, found 1.5"),
            (#"{"fall": 99999999999999999999}"#, "\"fall\"", "whole number"),
            (#"{"targets": [{"url": "http://a/", "family": "ipv5"}]}"#, "targets[0].family", "\"ipv4\", \"ipv6\""),
            (#"{"targets": [{"url": "http://a/", "name": ""}]}"#, "targets[0]", "empty"),
            (#"{"targets": [{"url": "http://a/", "name": "a\u001b[31m"}]}"#, "targets[0]", "control character"),
            (#"{"targets": [{"url": "http://a/", "method": "G E T"}]}"#, "targets[0]", "method"),
            (#"{"targets": [{"url": "http://a/", "headers": {"X Y": "z"}}]}"#, "targets[0]", "'X Y'"),
            (#"{"targets": [{"url": "http://a/", "headers": {"X": "a\r\nY: b"}}]}"#, "targets[0]", "one line"),
            (#"{"targets": [{"url": "icmp://192.0.2.1", "body": "x"}]}"#, "targets[0]", "expected body"),
            (#"{"targets": [{"url": "icmp://192.0.2.1:80"}]}"#, "targets[0]", "no ports"),
            (#"{"targets": [{"url": "dns://192.0.2.1/"}]}"#, "targets[0]", "names no name"),
            (#"{"targets": [{"url": "dns://192.0.2.1/a.test?type=BOGUS"}]}"#, "targets[0]", "'BOGUS'"),
            (#"{"targets": [{"url": "http://a:99999999999999999999/"}]}"#, "targets[0].url", "no port"),
            (#"{"targets": [{"url": "http://[fe80::1%eth0]/"}]}"#, "targets[0].url", "zone"),
            (#"{"targets": [{"url": "http://münchen.test/"}]}"#, "targets[0].url", "xn--"),
            (#"{"targets": [{"url": "http://a/b c"}]}"#, "targets[0].url", "%20"),
            (#"{"nameServers": {"eth0": ["dns.test"]}}"#, "nameServers.eth0[0]", "dns.test"),
            (#"{"staleIntervals": 1}"#, "staleIntervals", "2 to"),
            (#"{"targets": [{"url": "http://a/", "interval": 0}]}"#, "targets[0].interval", "more than 0"),
            (#"{"targets": [{"url": "http://a/", "interval": 90000}]}"#, "targets[0].interval", "at most 86400"),
            (#"{"targets": [{"url": "http://a/", "interval": 0.0001}]}"#, "targets[0]", "1 ms to a year"),
            (#"{"targets": [{"url": "http://a/"}, {"url": "tcp://a:1", "jitter": 1.5}]}"#, "targets[1]", "0 to 1"),
            (#"{"targets": [{"url": "http://a/", "retries": -1}]}"#, "targets[0]", "0 to 999"),
            (#"{"targets": [{"url": "http://a/", "retries": "2"}]}"#, "targets[0].retries", "whole number"),
            (#"{"damping": {"half": 1}}"#, "damping.half", "halfLife"),
            (#"{"damping": {"halfLife": -1}}"#, "damping.halfLife", "more than 0"),
            (#"{"damping": {"penalty": 0}}"#, "damping.penalty", "more than 0"),
            (#"{"damping": {"reuse": 3000}}"#, "damping.suppress", "more than \"reuse\""),
            (#"{"damping": {"ceiling": 2000}}"#, "damping.ceiling", "\"suppress\" or more"),
            (#"{"jitter": 2}"#, "jitter", "0 to 1"),
            (#"{"traffic": 1}"#, "traffic", "expected true, false or"),
            (#"{"traffic": {"every": 1}}"#, "traffic.every", "interval"),
            (#"{"traffic": {"interval": 0.01}}"#, "traffic.interval", "50 ms to an hour"),
        ])
    func mistakes(json: String, place: String, reason: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationDocument(json: json).configuration()
        }
        #expect(error?.description.contains(place) == true, "\(error as Any)")
        #expect(error?.description.contains(reason) == true, "\(error as Any)")
    }

    @Test("a user and a password in an address are no part of its name, which events and metrics show")
    func passwords() throws {
        let json = #"{"targets": [{"url": "https://user:se@cret@a.test:8443/x@y?z"}]}"#
        let target = try #require(try ConfigurationDocument(json: json).configuration().targets.first)
        #expect(target.name == "https://a.test:8443/x@y?z")
        #expect(target.url == "https://user:se@cret@a.test:8443/x@y?z")
    }

    @Test("an address of 100 kB is refused in one short sentence")
    func longAddress() {
        let json = #"{"targets": [{"url": "http://a.test/\#(String(repeating: "a", count: 100_000))"}]}"#
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationDocument(json: json).configuration() }
        #expect(error?.description.contains("longer than 8192 bytes") == true)
        #expect((error?.description.count ?? .max) < 400)
    }
}
