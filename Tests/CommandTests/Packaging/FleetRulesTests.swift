import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The rules for a fleet", .timeLimit(.minutes(2)))
struct FleetRulesTests {
    private static let script = Netwatch.file("Tests/Support/Scripts/fleet-alerts.py")
    private static let folder = Netwatch.file("packaging/fleet")

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test(
        "find the level at which something is broken",
        .enabled(if: isInstalled("promtool"), "promtool is not installed"))
    func rules() throws {
        let tests = try Command.run(["/usr/bin/python3", Self.script, "rules", "\(Self.folder)/netwatch-rules.yml"])
        let folder = try TemporaryFolder()
        let file = try folder.write(tests.utf8, to: "tests.yml")
        try Command.run(["promtool", "test", "rules", file.string])
        try Command.run(["promtool", "check", "config", "\(Self.folder)/prometheus.yml"])
    }

    @Test(
        "are followed by one alert, which is the cause",
        .enabled(if: isInstalled("prometheus-alertmanager"), "Alertmanager is not installed"),
        arguments: try Command.run(["/usr/bin/python3", script, "names"]).split(separator: "\n").map(String.init))
    func inhibition(situation: String) async throws {
        let json = try Command.run(["/usr/bin/python3", Self.script, "alerts", situation])
        let cause = try #require(try Self.names(json).first)
        let (port, folder) = (try FreePort.next(), try TemporaryFolder())
        let manager = try BackgroundProcess([
            "prometheus-alertmanager", "--config.file=\(Self.folder)/netwatch-alertmanager.yml",
            "--storage.path=\(folder.path)", "--web.listen-address=127.0.0.1:\(port)", "--cluster.listen-address=",
        ])
        try FreePort.waitForListener(port)
        let url = "http://127.0.0.1:\(port)/api/v2/alerts"
        try Command.run(
            [
                "curl", "-sf", "--retry", "9", "--retry-all-errors", "-H", "Content-Type: application/json", "-d", "@-",
                url,
            ],
            input: json)
        try await expectSoon("\(cause) alone") {
            try Self.names(try Command.run(["curl", "-sf", "\(url)?inhibited=false"])) == [cause]
        }
        withExtendedLifetime(manager) {}
    }

    @Test("the configuration for Kubernetes can be used, and listens where it is probed and scraped")
    func kubernetes() async throws {
        let manifest = try String(contentsOfFile: Netwatch.file("packaging/kubernetes/netwatch.yaml"), encoding: .utf8)
        let rest = try #require(manifest.split(separator: "  netwatch.yaml: |\n").last)
        let section = try #require(rest.split(separator: "\n---").first)
        let folder = try TemporaryFolder()
        let lines = section.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        let file = try folder.write(lines.utf8, to: "netwatch.yaml").string
        let outcome = try await Netwatch.run(["serve", "--check", "--verbose", "--config", file])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.lines.contains { $0.hasPrefix("service.listen: [0.0.0.0:19115]") })
        #expect(manifest.contains("containerPort: 19115") && manifest.contains("readOnlyRootFilesystem: true"))
    }

    @Test(
        "the manifests for Kubernetes are what Kubernetes takes, to the last member",
        .enabled(
            if: PythonPackage.isInstalled("kubernetes_validate"), "kubernetes-validate (PyPI) is not installed"))
    func strictManifests() throws {
        let python = try #require(PythonPackage("kubernetes_validate"))
        let file = Netwatch.file("packaging/kubernetes/netwatch.yaml")
        let verdict = try Command.run([python.program("kubernetes-validate"), "--strict", file])
        for kind in ["configmap", "daemonset"] { #expect(verdict.contains("passed for resource \(kind)/netwatch")) }
    }

    @Test("the PodMonitor is as its schema says, and finds the pods and the port that the manifest makes")
    func podMonitor() throws {
        let folder = Netwatch.file("packaging/kubernetes")
        let check = [
            "/usr/bin/python3", Netwatch.file("Tests/Support/Scripts/check-podmonitor.py"),
            Netwatch.file("Tests/Support/Schemas/podmonitor.json"),
        ]
        #expect(try Command.run(check + ["\(folder)/podmonitor.yaml", "\(folder)/netwatch.yaml"]) == "")
        // A slip of the pen is found.
        let other = try TemporaryFolder()
        let text = try String(contentsOfFile: "\(folder)/podmonitor.yaml", encoding: .utf8)
            .replacing("scrapeTimeout", with: "scrapetimeout").replacing("port: metrics", with: "port: metric")
        let file = try other.write(text.utf8, to: "podmonitor.yaml").string
        let mistakes = try Command.run(check + [file, "\(folder)/netwatch.yaml"])
        #expect(mistakes.contains("scrapetimeout") && mistakes.contains("no container has a port metric"))
    }

    private struct Alert: Decodable {
        let labels: [String: String]
    }

    private static func names(_ json: String) throws -> [String] {
        try JSONDecoder().decode([Alert].self, from: Data(json.utf8)).compactMap { $0.labels["alertname"] }
    }
}
