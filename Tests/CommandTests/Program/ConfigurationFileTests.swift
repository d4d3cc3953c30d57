import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch --config", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct ConfigurationFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ json: String) throws -> String {
        try folder.write(json.utf8, to: "netwatch.json").string
    }

    @Test(
        "targets, names and expectations are those of the file",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func targets() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let server = try NginxServer(
            in: uplink.namespace, port: 80, locations: "location / { return 200 '{\"status\": \"up\"}'; }")
        let json = #"""
            {"timeout": 10, "targets": [
              {"name": "good", "url": "http://192.0.2.2/", "json": {"pointer": "/status", "equals": "up"}},
              {"name": "bad", "url": "http://192.0.2.2/?", "json": {"pointer": "/status", "equals": "down"}}
            ]}
            """#
        let outcome = try await Netwatch.run(["status", "--json", "--config", try file(json)], in: uplink.namespace)
        #expect(outcome.status == 3)
        let line = try #require(outcome.lines.first)
        #expect(line.contains(#""target":"good","status":"up""#), "\(line)")
        #expect(line.contains(#""target":"bad","status":"down""#), "\(line)")
        let good = try await Netwatch.run(
            ["wait", "--for", "good", "--config", try file(json)], in: uplink.namespace)
        #expect(good.status == 0)
        withExtendedLifetime(server) {}
    }

    @Test("a file that is not UTF-8 is told as such, with the line")
    func notUTF8() async throws {
        let namespace = try TestNamespace()
        let bytes =
            Array("{\n\"targets\": [{\"name\": \"caf".utf8) + [0xE9] + Array("\", \"url\": \"http://a/\"}]}".utf8)
        let path = try folder.write(bytes, to: "latin1.json").string
        let outcome = try await Netwatch.run(["status", "--config", path], in: namespace)
        #expect(outcome.status == 78, "\(outcome)")
        #expect(outcome.errorText.contains("not UTF-8, in line 2"), "\(outcome)")
    }

    @Test("an option goes before the file")
    func precedence() async throws {
        let namespace = try TestNamespace()
        let path = try file(#"{"targets": [{"url": "http://192.0.2.9/", "name": "file"}]}"#)
        for (options, target) in [([], "file"), (["--probe", "option=http://192.0.2.8/"], "option")] {
            let outcome = try await Netwatch.run(["status", "--json", "--config", path] + options, in: namespace)
            #expect(outcome.status == 4)
            #expect(outcome.lines.first?.contains("\"target\":\"\(target)\"") == true, "\(outcome.lines)")
        }
        let silent = try await Netwatch.run(["status", "--json", "--config", path, "--no-probe"], in: namespace)
        #expect(silent.lines.first?.contains(#""targets":[]"#) == true, "\(silent.lines)")
    }

    @Test("ten thousand targets are read in no time")
    func many() async throws {
        let namespace = try TestNamespace()
        let targets = (0..<10_000).map { "{\"url\": \"http://192.0.2.9/\($0)\"}" }.joined(separator: ",")
        let outcome = try await Netwatch.run(
            [
                "wait", "--for", "http://192.0.2.9/9999", "--timeout", "100ms", "--config",
                try file("{\"targets\": [\(targets)]}"),
            ],
            in: namespace)
        #expect(outcome.status == 4)
        #expect(outcome.errorText.contains("http://192.0.2.9/9999 is unknown"), "\(outcome.errorText)")
    }

    @Test(
        "a mistake in it ends with one line that names the file, the key and the reason",
        arguments: [
            ("{", 78, "not a JSON object"), (#"{"intervall": 1}"#, 78, "\"intervall\" is unknown"),
            (#"{"targets": [{"url": "ftp://a/"}]}"#, 78, "targets[0].url"),
            (#"{"damping": {"reuse": 9000}}"#, 78, "damping.suppress"),
            (#"{"caFile": "/does/not/exist"}"#, 66, "/does/not/exist"),
        ])
    func mistakes(json: String, status: Int32, text: String) async throws {
        let path = try file(json)
        let outcome = try await Netwatch.run(["status", "--config", path])
        #expect(outcome.status == status)
        #expect(outcome.errorText.split(separator: "\n").count == 1)
        #expect(outcome.errorText.contains(text), "\(outcome.errorText)")
        #expect(status == 66 || outcome.errorText.contains(path))
    }

    @Test("a file that cannot be read is 66", arguments: ["/does/not/exist", "/tmp", "/dev/zero"])
    func unreadable(path: String) async throws {
        let outcome = try await Netwatch.run(["status", "--config", path])
        #expect(outcome.status == 66)
        #expect(outcome.errorText.hasPrefix("netwatch: the configuration file \(path) cannot be read"))
    }
}
