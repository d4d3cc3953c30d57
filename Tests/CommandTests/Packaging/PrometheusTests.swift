import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("What is shipped for Prometheus", .timeLimit(.minutes(4)))
struct PrometheusTests {
    private static func file(_ name: String) -> String { Netwatch.file("packaging/prometheus/\(name)") }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test(
        "the alerts fire where they are to, and nowhere else",
        .enabled(if: isInstalled("promtool"), "prometheus is not installed"))
    func alerts() throws {
        try Command.run(["promtool", "check", "rules", Self.file("netwatch.rules.yml")])
        let verdict = try Command.run(["promtool", "test", "rules", Self.file("netwatch.test.yml")])
        #expect(verdict.contains("SUCCESS"))
        try Command.run(["promtool", "check", "config", Self.file("prometheus.yml")])
        let rules = try String(contentsOfFile: Self.file("netwatch.rules.yml"), encoding: .utf8)
        let cases = try String(contentsOfFile: Self.file("netwatch.test.yml"), encoding: .utf8)
        for alert in rules.matches(of: /- alert: (\w+)/).map({ String($0.1) }) {
            let asked = cases.components(separatedBy: "alertname: \(alert)\n").dropFirst()
            #expect(
                asked.contains { $0.hasPrefix("        exp_alerts:\n          - exp_labels") }, "\(alert) never fires")
        }
        for rule in rules.components(separatedBy: "- alert: ").dropFirst() {
            for part in ["severity:", "summary:", "runbook:"] {
                #expect(rule.contains(part), "\(rule.prefix(20)): \(part)")
            }
        }
    }

    @Test("every command that an alert names is one of the program's")
    func runbooks() throws {
        let rules = try String(contentsOfFile: Self.file("netwatch.rules.yml"), encoding: .utf8)
        let commands = Set(rules.matches(of: /runbook: "netwatch ([a-z]+)/).map { String($0.1) })
        #expect(!commands.isEmpty)
        for command in commands { try Command.run([Netwatch.path, command, "--help"]) }
    }

    @Test(
        "what is to explain an alert is about the targets of the service's configuration, by their names",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
    func explanations() async throws {
        let rules = try String(contentsOfFile: Self.file("netwatch.rules.yml"), encoding: .utf8)
        let runbooks = Set(rules.matches(of: /runbook: "netwatch (explain.*)"/).map { String($0.1) })
        #expect(runbooks.count >= 3)
        let uplink = try Uplink()
        try uplink.connect()
        let folder = try TemporaryFolder()
        let url = "http://192.0.2.2/health"
        let file = try folder.write("targets: [{name: shop, url: '\(url)'}]\n".utf8, to: "netwatch.yaml").string
        for runbook in runbooks {
            var command = runbook
            for (name, value) in [
                ("/etc/netwatch/netwatch.yaml", file), ("{{ $labels.target }}", "shop"),
                ("{{ $labels.device }}", "up0"),
            ] {
                command = command.replacing(name, with: value)
            }
            let told = try await Netwatch.run(
                command: ["sh", "-c", "exec \"$0\" \(command)", Netwatch.path], in: uplink.namespace)
            #expect(told.lines.first?.hasPrefix("\(url): ") == true, "\(command): \(told)")
        }
    }

    /// The expressions of the dashboard, with what Grafana puts in the place of its variables.
    private static func expressions() throws -> [(title: String, text: String)] {
        let data = try Data(contentsOf: URL(filePath: file("netwatch.dashboard.json")))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(root["panels"] as? [[String: Any]])
        let annotations = (root["annotations"] as? [String: Any])?["list"] as? [[String: Any]] ?? []
        let ofPanels = panels.flatMap { panel in
            (panel["targets"] as? [[String: Any]] ?? []).map { (panel["title"], $0["expr"]) }
        }
        return (ofPanels + annotations.map { ($0["name"], $0["expr"]) }).map { title, text in
            var text = text as? String ?? ""
            for (name, value) in [
                ("$__rate_interval", "20s"), ("$__range", "20s"), ("$instance", ".*"), ("$target", ".*"),
            ] {
                text = text.replacing(name, with: value)
            }
            return (title as? String ?? "", text)
        }
    }

    /// A Prometheus that scrapes a service every second, in a namespace.
    private struct Watched {
        let namespace: TestNamespace
        let service: ServingProgram
        let prometheus: BackgroundProcess
        let web: NginxServer
        private let authority: CertificateAuthority
        private let folder: TemporaryFolder

        init() async throws {
            namespace = try TestNamespace()
            authority = try CertificateAuthority()
            let certificate = try authority.issue("web", CertificateRequest(names: ["IP:192.0.2.2"]))
            try namespace.ip(
                """
                link add up0 type veth peer name far0
                link set far0 up
                address add 192.0.2.2/24 dev up0
                link set up0 up
                route add default via 192.0.2.1 dev up0
                """)
            web = try NginxServer(
                in: namespace, port: 80,
                servers: """
                    server {
                        listen 443 ssl; ssl_certificate \(certificate.chainFile);
                        ssl_certificate_key \(certificate.keyFile);
                        location / { return 204; }
                    }
                    """)
            service = try await ServingProgram(
                """
                interval: 1s
                caFile: \(authority.rootFile)
                targets:
                  - {name: web, url: "https://192.0.2.2/", labels: {team: net}}
                  - {name: gone, url: "tcp://192.0.2.2:1"}

                """, section: "  targetHistograms: true\n", options: ["--no-default-probes"], in: namespace)
            folder = try TemporaryFolder()
            let address = service.base.dropFirst("http://".count).dropLast()
            let file = try folder.write(
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [\(PrometheusTests.file("netwatch.rules.yml"))]
                scrape_configs:
                  - job_name: netwatch
                    static_configs: [{targets: ["\(address)"]}]
                  - job_name: blackbox
                    metrics_path: /probe
                    params: {module: [http_2xx]}
                    static_configs: [{targets: ["https://192.0.2.2/"]}]
                    relabel_configs:
                      - {source_labels: [__address__], target_label: __param_target}
                      - {source_labels: [__param_target], target_label: instance}
                      - {target_label: __address__, replacement: "\(address)"}

                """.utf8, to: "prometheus.yml"
            ).string
            prometheus = try namespace.start(
                "prometheus", "--config.file=\(file)", "--storage.tsdb.path=\(folder.path)/data",
                "--web.listen-address=127.0.0.1:9090", "--log.level=error")
        }

        /// The series that an expression gives now; throws with Prometheus' words where it cannot be read.
        func ask(_ expression: String) throws -> [[String: Any]] {
            let text = try namespace.run(arguments: [
                "curl", "-s", "-m", "20", "--data-urlencode", "query=\(expression)",
                "http://127.0.0.1:9090/api/v1/query",
            ])
            let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard answer?["status"] as? String == "success" else { throw ProgramRun.NotSeen(description: text) }
            return (answer?["data"] as? [String: Any])?["result"] as? [[String: Any]] ?? []
        }

        func wait(for expression: String, within limit: Duration = .seconds(60)) async throws {
            _ = try await service.run.wait(for: expression, within: limit) {
                guard let found = try? ask(expression) else { return nil as Bool? }
                return found.isEmpty ? nil : true
            }
        }
    }

    @Test(
        "a real Prometheus understands every expression of the dashboard, and finds what there is to be found",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
        .enabled(if: isInstalled("prometheus"), "prometheus is not installed"),
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func dashboard() async throws {
        let watched = try await Watched()
        try await watched.wait(for: #"netwatch_target_problem_info{target="gone"}"#)
        try await watched.wait(for: "increase(netwatch_probes_total{result=\"success\"}[20s]) > 0")
        // An unchanged job of blackbox_exporter's, but for the address.
        try await watched.wait(for: #"probe_success{job="blackbox",instance="https://192.0.2.2/"} == 1"#)
        // What is there only where uplinks are told apart, or another exporter stands beside, or something has changed.
        let empty = ["Uplinks", "Bytes by device (node_exporter)", "Changes of connectivity"]
        let expressions = try Self.expressions()
        #expect(expressions.count > 20)
        for (title, expression) in expressions {
            let found = try watched.ask(expression)
            if !empty.contains(title) { #expect(!found.isEmpty, "\(title): \(expression)") }
        }
        let labels = try watched.ask(
            "netwatch_target_up * on (target) group_left (team) netwatch_target_info{team=\"net\"}")
        #expect((labels.first?["metric"] as? [String: String])?["team"] == "net")
        withExtendedLifetime(watched) {}
    }
}
