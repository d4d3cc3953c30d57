import Foundation
import TestSupport
import Testing

@Suite(
    "netwatch --listen", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct ServerTests {
    /// A program that serves in a namespace, and its address as it told it.
    private struct Served {
        let uplink: Uplink
        let run: ProgramRun
        let base: String

        init(_ host: String = "127.0.0.1", probing options: [String] = ["--no-probe"]) async throws {
            uplink = try Uplink()
            run = try ProgramRun([Netwatch.path, "--json", "--listen", "\(host):0"] + options, in: uplink.namespace)
            let run = run
            base = try await run.wait(for: "the address") {
                run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
            }
            // It may listen before it has looked.
            _ = try await run.line(0)
        }

        /// Asks, and returns the status code and the body.
        func get(_ path: String, _ options: String...) throws -> (code: Int, body: String) {
            let url = "\(base)\(path)"
            let command = ["curl", "-g", "-s", "-m", "20", "-w", "\n%{http_code}"] + options + [url]
            let text = try Command.run(["nsenter", "--net=\(uplink.namespace.path)", "--"] + command)
            let cut = try #require(text.lastIndex(of: "\n"))
            return (Int(text[text.index(after: cut)...]) ?? 0, String(text[..<cut]))
        }

        func wait(forHealth code: Int) async throws {
            _ = try await run.wait(for: "health \(code)") { try get("health").code == code ? true : nil }
        }
    }

    @Test(
        "an unplugged cable changes the health and neither liveness nor readiness", arguments: ["127.0.0.1", "[::1]"])
    func health(host: String) async throws {
        let served = try await Served(host)
        #expect(served.base.hasPrefix("http://\(host):"))
        try await served.wait(forHealth: 503)
        try served.uplink.connect()
        try await served.wait(forHealth: 200)
        try served.uplink.namespace.ip("link set far0 down")
        try await served.wait(forHealth: 503)
        let health = try served.get("health", "-D", "-")
        #expect(health.body.contains("Content-Type: application/health+json\r\n"))
        #expect(health.body.contains("the interface has no carrier"))
        #expect(try served.get("health?interface=up0").code == 503)
        let unknown = try served.get("health?interface=up9")
        #expect(unknown.code == 404 && unknown.body.contains("there are: ") && unknown.body.contains("up0"))
        #expect(try served.get("health?target=shop") == (404, "there is no such target; there is none\n"))
        #expect(try served.get("health?target=a&interface=b").code == 400)
        #expect(try served.get("livez") == (200, "ok"))
        #expect(try served.get("readyz") == (200, "ok"))
        #expect(try served.get("readyz?verbose").body == "[+]first-dump ok\n[+]resync ok\nreadyz check passed\n")
        #expect(try served.get("livez/monitor") == (200, "ok"))
        #expect(try served.get("livez/nothing").code == 404)
        #expect(try served.get("readyz?exclude=nothing").body.contains("no matches for \"nothing\""))
        #expect(try served.get("nothing").code == 404)
        served.run.send(SIGTERM)
        #expect(try await served.run.end() == 0)
    }

    @Test("metrics pass promtool, in the format that was asked for")
    func metrics() async throws {
        let served = try await Served()
        try served.uplink.connect()
        try await served.wait(forHealth: 200)
        let metrics = try served.get("metrics", "-D", "-")
        let parts = metrics.body.components(separatedBy: "\r\n\r\n")
        #expect(parts[0].contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
        #expect(try Command.run(["promtool", "check", "metrics"], input: parts[1]) == "")
        #expect(parts[1].contains("netwatch_reachability_state{state=\"ethernet\"} 1\n"))
        #expect(parts[1].contains("netwatch_path_selected{device=\"up0\",family=\"ipv4\"} 1\n"))
        #expect(parts[1].contains("netwatch_transitions_total{subject=\"reachability\",from=\"none\",to=\"ethernet\""))
        #expect(parts[1].split(separator: "\n").filter { !$0.hasPrefix("#") }.count <= 100)
        #expect(parts[1].contains("netwatch_netlink_route_filter_attached 1\n"))
        #expect(parts[1].contains("netwatch_netlink_overruns_total 0\n"))
        #expect(!parts[1].contains("netwatch_netlink_messages_total{subject=\"link\"} 0\n"))

        let open = try served.get("metrics", "-H", "Accept: application/openmetrics-text; version=1.0.0", "-D", "-")
        #expect(open.body.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"))
        #expect(open.body.hasSuffix("# EOF\n"))
    }

    @Test(
        "a portal fails the health with where to sign in, shows in the metrics, and is gone after the login",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func portal() async throws {
        let folder = try TemporaryFolder()
        let location =
            "location / { if (-f \(folder.path)/paid) { return 204; } return 302 http://login.test/?from=you; }"
        let served = try await Served(
            probing: ["--probe", "check=http://192.0.2.2/", "--interval", "1s", "--timeout", "10s"])
        try served.uplink.connect()
        let server = try NginxServer(in: served.uplink.namespace, port: 80, locations: location)
        _ = try await served.run.wait(for: "the portal") {
            try served.get("metrics").body.contains("netwatch_connectivity_state{state=\"portal\"} 1\n") ? true : nil
        }
        let health = try served.get("health")
        #expect(health.code == 503)
        #expect(health.body.contains("sign in at http://login.test/?from=you"), "\(health.body)")
        #expect(try JSONLine(served.get("status").body).connectivity == "portal")
        #expect(try served.get("readyz").code == 200)
        _ = try folder.write([], to: "paid")
        try await served.wait(forHealth: 200)
        let metrics = try served.get("metrics").body
        #expect(try Command.run(["promtool", "check", "metrics"], input: metrics) == "")
        #expect(metrics.contains("netwatch_probe_duration_seconds_count{phase=\"connect\"} "))
        #expect(metrics.contains("netwatch_probe_duration_seconds_bucket{phase=\"processing\",le=\"+Inf\"} "))
        #expect(!metrics.contains("phase=\"tls\""))
        #expect(metrics.contains("netwatch_probe_success{target=\"check\",device=\"\",family=\"ipv4\"} 1\n"))
        withExtendedLifetime(server) {}
    }

    @Test("the latest event is served in the form of netwatch --json, and the root page links to everything")
    func status() async throws {
        let served = try await Served()
        let line = try await served.run.line(0)
        let status = try served.get("status").body
        #expect(try JSONLine(status).to == JSONLine(line).to)
        let page = try served.get("").body
        for path in ["/health", "/status", "/metrics", "/livez", "/readyz"] {
            #expect(page.contains("href=\"\(path)"))
            #expect(try served.get(String(path.dropFirst())).code != 404)
        }
    }

    @Test("a stop in the midst of requests is quiet, again and again")
    func stops() async throws {
        for _ in 0..<20 {
            let served = try await Served()
            let script = "while curl -s -m 5 -o /dev/null \(served.base){livez,metrics,status,health}; do :; done"
            let clients = try (0..<3).map { _ in try served.uplink.namespace.start("sh", "-c", script) }
            // A few of them are under way now.
            _ = try served.get("metrics")
            served.run.send(SIGTERM)
            #expect(try await served.run.end() == 0)
            #expect(!served.run.errorText.contains("EventLoop"), "\(served.run.errorText)")
            withExtendedLifetime(clients) {}
        }
    }

    @Test("a client that sends nothing, or nonsense, or too much, harms nobody")
    func hostileClients() async throws {
        let served = try await Served()
        let port = try #require(served.base.firstMatch(of: /:(\d+)\//)?.1)
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET / HTTP/1.1\\r\\nA: ' >&3
            head -c 1000000 /dev/zero | tr '\\0' a >&3 2>/dev/null
            exec 4<>/dev/tcp/127.0.0.1/\(port); printf '\\0\\1\\2nonsense\\r\\n\\r\\n' >&4; cat <&4 | head -c 12
            """
        let answer = try served.uplink.namespace.run("bash", "-c", script + "; true")
        #expect(answer.contains("HTTP/1.1 400"))
        #expect(try served.get("livez").code == 200)
    }
}
