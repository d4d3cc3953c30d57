import Connectivity
import Netwatch
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite("Where the service's configuration comes from")
struct ConfigurationSourceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ yaml: String) throws -> String {
        try folder.write(yaml.utf8, to: "netwatch.yaml").string
    }

    private func load(
        _ yaml: String, _ variables: [String: String] = [:], flags: ConfigurationSource.Flags = .init()
    ) throws -> LoadedConfiguration {
        try ConfigurationSource(path: try file(yaml), variables: variables, flags: flags).load()
    }

    private func mistake(_ yaml: String, _ variables: [String: String] = [:]) throws -> String {
        do {
            _ = try load(yaml, variables)
            return "no mistake"
        } catch {
            return "\(error)"
        }
    }

    @Test("a variable goes before the file, and a flag before both; each is told with its place")
    func precedence() throws {
        let yaml = "interval: 10s\nretryDelay: 4s\ntimeout: 5s\nservice:\n  listen: 127.0.0.1:1\n  hosts: [a.example]\n"
        let variables = [
            "NETWATCH_RETRY_DELAY": "3s", "NETWATCH_TIMEOUT": "2s", "NETWATCH_METERED": "[wwan0, wwan1]",
            "NETWATCH_SERVICE_LISTEN": "[::1]:7", "NETWATCH_RISE": "",
        ]
        let flags = ConfigurationSource.Flags(names: ["timeout": "--probe-timeout"]) { $0.timeout = .seconds(1) }
        let loaded = try load(yaml, variables, flags: flags)
        #expect(loaded.monitor.interval == .seconds(10))
        #expect(loaded.monitor.retryDelay == .seconds(3))
        #expect(loaded.monitor.timeout == .seconds(1))
        #expect(loaded.monitor.metered == ["wwan0", "wwan1"])
        #expect(loaded.service.listen.map { "\($0)" } == ["[::1]:7"])
        #expect(loaded.service.hosts == ["a.example"])
        let path = folder.path.appending("netwatch.yaml").string
        for line in [
            "interval: 10s  (\(path):1)", "retryDelay: 3s  (NETWATCH_RETRY_DELAY)", "timeout: 1s  (--probe-timeout)",
            "fall: 2  (default)", "service.listen: [[::1]:7]  (NETWATCH_SERVICE_LISTEN)",
            "service.hosts: [a.example]  (\(path):6)",
        ] {
            #expect(loaded.listing.contains(line), "\(line) is not in \(loaded.listing)")
        }
    }

    @Test("what a section leaves out is as by default, and what it says has the line that says it")
    func partsOfSections() throws {
        let yaml = """
            targets:
              - url: http://192.0.2.9/
                timeout: 2s
            service:
              mqtt:
                brokers: mqtts://broker.example
                heartbeat: 30s
              push: {url: 'http://192.0.2.8:4318', format: otlp}
              hooks:
                - command: [/bin/true]
                  kinds: [transition]
            """
        let loaded = try load(yaml, ["NETWATCH_SERVICE_WEBHOOKS": "[{url: 'http://192.0.2.7'}]"])
        let path = folder.path.appending("netwatch.yaml").string
        for line in [
            "targets[0].url: http://192.0.2.9/  (\(path):2)", "targets[0].timeout: 2s  (\(path):3)",
            "targets[0].name: http://192.0.2.9/  (default)", "service.mqtt.prefix: netwatch  (default)",
            "service.mqtt.heartbeat: 30s  (\(path):7)", "service.push[0].interval: 15s  (default)",
            "service.push[0].format: otlp  (\(path):8)", "service.hooks[0].timeout: 10s  (default)",
            "service.hooks[0].kinds: [transition]  (\(path):11)",
            "service.webhooks[0].url: http://192.0.2.7  (NETWATCH_SERVICE_WEBHOOKS)",
            "service.webhooks[0].timeout: 10s  (default)",
        ] {
            #expect(loaded.listing.contains(line), "\(line) is not in \(loaded.listing)")
        }
    }

    @Test(
        "a key of the service outside of its section, or the reverse, is told where it belongs",
        arguments: [
            ("interval: 5s\npush: []\n", ":2:1: ", "\"push\" belongs into the section \"service\""),
            ("service:\n  targets: []\n", ":2:3: ", "\"targets\" belongs outside of the section \"service\""),
            ("service:\n  listen: unix:/run/x.sock\n", ":2:11: ", "its path is the configuration's"),
        ])
    func misplaced(yaml: String, place: String, words: String) throws {
        let mistake = try mistake(yaml)
        #expect(mistake.contains(place) && mistake.contains(words), "\(mistake)")
    }

    @Test("a key at the top with a dot in its name is only unknown")
    func dottedKey() throws {
        let mistake = try mistake("\"service.targets\": []\n")
        #expect(mistake.contains("service.targets") && !mistake.contains("belongs"), "\(mistake)")
    }

    @Test("every key has a line of its own")
    func completeness() throws {
        let keys = Set(try load("").listing.map { String($0.prefix { $0 != ":" && $0 != "[" }) })
        #expect(keys.isSuperset(of: ConfigurationDocument.keys))
        #expect(keys.isSuperset(of: ServiceDocument.Keys.allCases.map { "service.\($0.rawValue)" }))
    }

    @Test("a mark of the encoding at the beginning is no part of the text", arguments: ["yaml", "json"])
    func mark(form: String) throws {
        func load(_ text: String) throws -> LoadedConfiguration {
            let file = try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), to: "marked.\(form)").string
            return try ConfigurationSource(path: file, variables: [:], flags: .init()).load()
        }
        #expect(try load(#"{"interval": "10s"}"#).monitor.interval == .seconds(10))
        do {
            _ = try load(#"{"intervall": "10s"}"#)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains("marked.\(form):1:2: "), "\(error)")
        }
    }

    @Test("what may be a secret is not shown")
    func secrets() throws {
        let text = try load(
            """
            targets:
              - name: a
                url: https://user:geheim@192.0.2.9/
                headers: {Authorization: Bearer geheim}
                requestBody: geheim
                proxy: http://user:geheim@192.0.2.8:3128
                header: {name: X-Token, value: geheim}
            """
        ).listing.joined(separator: "\n")
        #expect(!text.contains("geheim"), "\(text)")
        #expect(text.contains("url: https://(hidden)@192.0.2.9/"))
    }

    @Test(
        "a mistake is told where it is",
        arguments: [
            ("rise: 1\nservice:\n  lisen: a\n", [:], "netwatch.yaml:3:3: ", "did you mean \"listen\"?"),
            ("servce: {}\n", [:], "netwatch.yaml:1:1: ", "did you mean \"service\"?"),
            ("service:\n  listen: nowhere\n", [:], "netwatch.yaml:2:11: ", "the port is missing"),
            ("service:\n  maximumReaders: 0\n", [:], "netwatch.yaml:2:19: ", "1 to 100000"),
            ("interval: 5s\n", ["NETWATCH_INTERVAL": "soon"], "NETWATCH_INTERVAL: ", "found soon"),
            ("", ["NETWATCH_POLICY": "{quorum: x}"], "NETWATCH_POLICY: ", "expected a whole number, found x"),
            ("service:\n  listen: 0.0.0.0:1\n", [:], "netwatch.yaml:2:11: ", "name a tokenFile beside it"),
            ("", ["NETWATCH_SERVICE_LISTEN": "0.0.0.0:1"], "NETWATCH_SERVICE_LISTEN: ", "other hosts reach 0.0.0.0:1"),
            ("service:\n  listen: ['[::1]:7', '[::1]:7']\n", [:], "netwatch.yaml:2:23: ", "stands there twice"),
            (
                "service:\n  push: {url: 'http://a', format: otlp, tokenFile: /no/file}\n", [:],
                "netwatch.yaml:2:52: ", "/no/file cannot be read"
            ),
            ("targets: [{url: 'http://a/', interface: ''}]\n", [:], "netwatch.yaml:1:11: ", "none can be called so"),
            ("targets: [{url: 'http://a/', interface: a/b}]\n", [:], "netwatch.yaml:1:11: ", "none can be called so"),
            (
                "targets: [{url: 'http://a/', headers: {content-length: '3'}}]\n", [:], "netwatch.yaml:1:11: ",
                "content-length is set by itself"
            ),
            ("service:\n  tokenFile: /does/not/exist\n", [:], "the token file /does/not/exist", "No such file"),
        ] as [(String, [String: String], String, String)])
    func mistakes(yaml: String, variables: [String: String], place: String, words: String) throws {
        let text = try mistake(yaml, variables)
        #expect(text.contains(place) && text.contains(words), "\(text)")
    }

    @Test("a variable that means nothing is warned of: container managers set some for each service of that name")
    func unknownVariables() throws {
        let loaded = try load("", ["NETWATCH_SERVICE_PORT": "19115", "NETWATCH_INTERVALL": "3s"])
        #expect(loaded.warnings.count == 2)
        #expect(loaded.warnings[0].hasSuffix("did you mean NETWATCH_INTERVAL?"), "\(loaded.warnings)")
    }

    @Test("other hosts may ask where a token, or the word of the configuration's, lets them")
    func openness() throws {
        let token = try folder.write("s3cret-s3cret\n".utf8, to: "http-token").string
        #expect(try load("service: {listen: 0.0.0.0:1, tokenFile: \(token)}").token != nil)
        #expect(try load("service: {listen: 0.0.0.0:1, openToAll: true}").token == nil)
        let handed = ConfigurationSource(
            path: try file("service: {listen: 0.0.0.0:1}"), variables: [:], credentials: folder.path.string)
        #expect(try handed.load().service.tokenFile == token)
    }

    @Test("without a file all is as by default, and a file that was named has to be there")
    func missingFile() throws {
        #expect(throws: ConfigurationFileError.self) {
            try ConfigurationSource(path: "/does/not/exist", variables: [:]).load()
        }
    }
}
