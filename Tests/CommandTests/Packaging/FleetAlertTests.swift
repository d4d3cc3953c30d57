import Foundation
import SystemPackage
import TestSupport
import Testing

/// Two sites with two hosts each, scraped by a real Prometheus with the rules that are shipped, which are only quicker here; what
/// Alertmanager then tells.
@Suite("A fleet that Prometheus watches", .timeLimit(.minutes(5)))
struct FleetAlertTests {
    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private struct Host {
        let name: String
        let address: String
        let namespace: TestNamespace
        let run: ProgramRun
    }

    /// The namespace in which Prometheus and the target's server are, and the sites' lines end.
    private struct Sites {
        let core: TestNamespace
        let folder: TemporaryFolder
        let hosts: [Host]
        let prometheus: BackgroundProcess
        let manager: BackgroundProcess

        init() async throws {
            let (core, folder) = (try TestNamespace(), try TemporaryFolder())
            try core.ip("address add 10.9.0.1/32 dev lo")
            var hosts: [Host] = []
            for (index, site) in ["Bern", "Chur"].enumerated() {
                let net = "10.\(index + 1).0"
                try core.ip(
                    "link add br\(site) type bridge\naddress add \(net).1/24 dev br\(site)\nlink set br\(site) up")
                for number in 1...2 {
                    hosts.append(
                        try Self.host("\(site)-\(number)", site, "\(net).\(number + 1)", via: "\(net).1", core, folder))
                }
            }
            (self.core, self.folder, self.hosts) = (core, folder, hosts)
            try Self.configure(hosts, folder)
            manager = try core.start([
                "prometheus-alertmanager", "--config.file=\(folder.path)/alertmanager.yml",
                "--storage.path=\(folder.path)/alerts", "--web.listen-address=127.0.0.1:9093",
                "--cluster.listen-address=", "--log.level=error",
            ])
            prometheus = try core.start([
                "prometheus", "--config.file=\(folder.path)/prometheus.yml", "--storage.tsdb.path=\(folder.path)/data",
                "--web.listen-address=0.0.0.0:9090", "--log.level=error",
            ])
        }

        private static func host(
            _ name: String, _ site: String, _ address: String, via gateway: String, _ core: TestNamespace,
            _ folder: TemporaryFolder
        ) throws -> Host {
            let namespace = try TestNamespace()
            try core.ip(
                "link add p\(name) type veth peer name up0 netns \(namespace.path)\nlink set p\(name) master br\(site) up"
            )
            try namespace.ip(
                "address add \(address)/24 dev up0\nlink set up0 up\nroute add default via \(gateway) dev up0")
            let yaml = """
                interval: 1s
                targets:
                  - {name: api, url: "tcp://10.9.0.1:8000"}
                  - {name: other, url: "tcp://10.9.0.1:9090"}
                service: {listen: "0.0.0.0:19115", openToAll: true, socket: none, name: \(name)}

                """
            let file = try folder.write(yaml.utf8, to: "\(name).yaml").string
            let run = try ProgramRun(
                [Netwatch.path, "serve", "--config", file, "--no-default-probes"], in: namespace)
            return Host(name: name, address: address, namespace: namespace, run: run)
        }

        /// The shipped files, with other times and places.
        private static func configure(_ hosts: [Host], _ folder: TemporaryFolder) throws {
            func shipped(_ name: String, _ changes: [(String, String)]) throws -> String {
                var text = try String(contentsOfFile: Netwatch.file("packaging/fleet/\(name)"), encoding: .utf8)
                for (old, new) in changes {
                    #expect(text.contains(old), "\(name): \(old)")
                    text = text.replacing(old, with: new)
                }
                return text
            }
            let rules = try shipped(
                "netwatch-rules.yml",
                [("interval: 15s", "interval: 1s"), ("for: 1m", "for: 5s"), ("for: 2m", "for: 10s")])
            let manager = try shipped(
                "netwatch-alertmanager.yml",
                [("group_wait: 30s", "group_wait: 1s"), ("group_interval: 5m", "group_interval: 1s")])
            let prometheus = try shipped(
                "prometheus.yml",
                [
                    ("scrape_interval: 15s", "scrape_interval: 1s\n  scrape_timeout: 1s"),
                    ("evaluation_interval: 15s", "evaluation_interval: 1s"),
                ])
            let list = hosts.map { host in
                [
                    "targets": ["\(host.address):19115"],
                    "labels": ["site": String(host.name.prefix(4)), "provider": String(host.name.prefix(4))],
                ]
                    as [String: Any]
            }
            _ = try folder.write(rules.utf8, to: "netwatch-rules.yml")
            _ = try folder.write(manager.utf8, to: "alertmanager.yml")
            _ = try folder.write(prometheus.utf8, to: "prometheus.yml")
            _ = try folder.write(try JSONSerialization.data(withJSONObject: list), to: "netwatch-hosts.json")
        }

        /// How many series an expression has now.
        func count(_ expression: String) -> Int {
            let text = try? core.run(arguments: [
                "curl", "-s", "-m", "20", "--data-urlencode", "query=count(\(expression)) or vector(0)",
                "http://127.0.0.1:9090/api/v1/query",
            ])
            let answer = try? JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any]
            let result = (answer?["data"] as? [String: Any])?["result"] as? [[String: Any]]
            return (result?.first?["value"] as? [Any])?.last.flatMap { $0 as? String }.flatMap { Int($0) } ?? -1
        }

        private struct Alert: Decodable {
            let labels: [String: String]
        }

        /// What Alertmanager tells people.
        func told() -> [String] {
            let text = try? core.run(arguments: [
                "curl", "-s", "-m", "20", "http://127.0.0.1:9093/api/v2/alerts?inhibited=false&active=true",
            ])
            let alerts = try? JSONDecoder().decode([Alert].self, from: Data((text ?? "").utf8))
            return (alerts ?? []).map { alert in
                let name = alert.labels["alertname"] ?? ""
                return alert.labels["level"] == "host" ? "\(name) \(alert.labels["instance"] ?? "")" : name
            }.sorted()
        }

        func wait(_ what: String, _ condition: () -> Bool) async throws {
            let run = hosts[0].run
            _ = try await run.wait(for: what, within: .seconds(90)) { condition() ? true : nil }
        }

        /// Waits until one alert is told, and looks whether it stays the only one.
        func expect(_ alert: String) async throws {
            try await wait(alert) { told() == [alert] }
            for _ in 0..<8 {
                try await Task.sleep(for: .milliseconds(500))
                let now = told()
                #expect(now == [alert], "\(now)")
            }
        }
    }

    @Test(
        "tells one alert for a target whose server is stopped, one for a site whose line is cut, one for a host's cable",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
        .enabled(if: isInstalled("prometheus"), "prometheus is not installed"),
        .enabled(if: isInstalled("prometheus-alertmanager"), "Alertmanager is not installed"))
    func alerts() async throws {
        let sites = try await Sites()
        func startServer() throws -> BackgroundProcess {
            try sites.core.start(["/usr/bin/python3", "-m", "http.server", "8000", "--bind", "10.9.0.1"])
        }
        func calm() async throws {
            try await sites.wait("calm") {
                sites.count("netwatch_target_up == 1") == 8 && sites.count("ALERTS") == 0 && sites.told().isEmpty
            }
        }
        var server: BackgroundProcess? = try startServer()
        try await calm()
        server?.terminate()
        try await sites.expect("NetwatchTargetDown")
        server = try startServer()
        try await calm()
        try sites.core.ip("link set brBern down")
        try await sites.expect("NetwatchSiteBroken")
        try sites.core.ip("link set brBern up")
        try await calm()
        try sites.core.ip("link set pChur-2 down")
        try await sites.expect("NetwatchHostCutOff \(sites.hosts[3].address):19115")
        withExtendedLifetime((sites, server)) {}
    }
}
