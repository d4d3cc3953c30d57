import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "/probe and /explain", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct ProbeEndpointTests {
    private static let blackbox = "/usr/bin/prometheus-blackbox-exporter"
    private static let hasBlackbox = FileManager.default.isExecutableFile(atPath: blackbox)
    private static let hasNameServer = FileManager.default.isExecutableFile(atPath: "/usr/sbin/dnsmasq")

    /// Two web servers, one of them with TLS, a name server, and something that is not there.
    private struct World {
        let namespace: TestNamespace
        let authority: CertificateAuthority
        let nginx: NginxServer
        let names: BackgroundProcess?

        init() throws {
            namespace = try TestNamespace()
            try namespace.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
            authority = try CertificateAuthority()
            let certificate = try authority.issue("localhost", .init(names: ["DNS:localhost", "IP:127.0.0.1"]))
            nginx = try NginxServer(
                in: namespace, port: 80,
                locations: "location /away { return 302 /index.html; } location /empty { return 204; }",
                servers: """
                    server {
                        listen 443 ssl; server_name localhost;
                        ssl_certificate \(certificate.chainFile); ssl_certificate_key \(certificate.keyFile);
                    }
                    """,
                documents: ["index.html": Data("hello\n".utf8)])
            names =
                hasNameServer
                ? try namespace.start(
                    "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
                    "--no-resolv", "--no-hosts", "--port=5300", "--address=/a.test/192.0.2.7") : nil
        }

        /// The configuration of ours, with one module for each of blackbox_exporter's below.
        var ours: (yaml: String, section: String) {
            (
                "probes: false\ncaFile: \(authority.rootFile)\n",
                """
                  modules:
                    web: {url: "http://{target}", redirects: 10, timeout: 5s}
                    names: {url: "dns://{target}/a.test?type=A", timeout: 5s}
                    zone: {url: "dns://{target}/a.test?type=SOA", timeout: 5s}

                """
            )
        }

        var theirs: String {
            let trust = "tls_config: {ca_file: \(authority.rootFile), server_name: localhost}"
            return """
                modules:
                  web: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, \(trust)}}
                  tcp_connect: {prober: tcp, timeout: 5s}
                  tcp_connect_tls: {prober: tcp, timeout: 5s, tcp: {tls: true, preferred_ip_protocol: ip4, \(trust)}}
                  icmp: {prober: icmp, timeout: 5s, icmp: {preferred_ip_protocol: ip4}}
                  names: {prober: dns, dns: {query_name: a.test, query_type: A, transport_protocol: udp}}
                  zone: {prober: dns, dns: {query_name: a.test, query_type: SOA, transport_protocol: udp}}

                """
        }
    }

    @Test(
        "the families, labels and types are those of Debian's blackbox_exporter",
        .enabled(if: hasBlackbox && hasNameServer, "prometheus-blackbox-exporter or dnsmasq is not installed"),
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func comparison() async throws {
        let world = try World()
        let ours = try await ServingProgram(world.ours.yaml, section: world.ours.section, in: world.namespace)
        let file = try ours.folder.write(world.theirs.utf8, to: "blackbox.yml").string
        let theirs = try world.namespace.start(
            Self.blackbox, "--config.file=\(file)", "--web.listen-address=127.0.0.1:9115")
        func ask(_ base: String, _ query: String) throws -> ExpositionText {
            ExpositionText(
                try world.namespace.run(arguments: ["curl", "-g", "-s", "-m", "30", "\(base)probe?\(query)"]))
        }
        _ = try await ours.run.wait(for: "blackbox_exporter") {
            (try? ask("http://127.0.0.1:9115/", "module=tcp_connect&target=127.0.0.1:80")).map { !$0.series.isEmpty }
        }
        // What 0.23 does not have yet, and what only ours knows.
        let additions = ["probe_timeout_seconds", "probe_tls_cipher_info", "probe_failure_info"]
        for (module, target) in [
            ("web", "http://127.0.0.1/"), ("web", "127.0.0.1/away"), ("web", "http://127.0.0.1/missing"),
            ("web", "http://127.0.0.1:1/"), ("web", "https://localhost/"), ("web", "http://127.0.0.1/empty"),
            ("tcp_connect", "127.0.0.1:80"), ("tcp_connect", "127.0.0.1:1"), ("tcp_connect_tls", "127.0.0.1:443"),
            ("names", "127.0.0.1:5300"), ("names", "127.0.0.1:1"), ("zone", "127.0.0.1:5300"), ("icmp", "127.0.0.1"),
        ] {
            let query = "module=\(module)&target=\(target)"
            let (own, other) = (try ask(ours.base, query), try ask("http://127.0.0.1:9115/", query))
            let missing = other.shapes.subtracting(own.shapes)
            #expect(missing == [], "\(query): not told by ours")
            let more = own.shapes.subtracting(other.shapes).filter { shape in
                !additions.contains { shape.contains(" \($0){") }
            }
            #expect(more == [], "\(query): told by ours only")
            #expect(other.types.filter { own.types[$0.key] != $0.value } == [:], "\(query)")
        }
        withExtendedLifetime(theirs) {}
    }

    @Test("a client that goes gives its place back at once; one that has only closed its end gets its answer")
    func gone() async throws {
        let namespace = try TestNamespace()
        // Nothing comes back by it, and no neighbour is asked for.
        try namespace.ip(
            """
            link add void0 type veth peer name end0
            address add 192.0.2.1/24 dev void0
            link set void0 up
            link set end0 up
            neigh add 192.0.2.9 lladdr 02:00:00:00:00:09 nud permanent dev void0
            """)
        let modules = """
              modules:
                patient: {url: "tcp://{target}", timeout: 60s}
                brief: {url: "tcp://{target}", timeout: 2s}

            """
        let program = try await ServingProgram("probes: false\n", section: modules, in: namespace)
        let port = try #require(program.base.split(separator: ":").last?.dropLast())
        func ask(_ count: Int, _ module: String, _ more: String...) throws -> BackgroundProcess {
            let path = "/probe?target=192.0.2.9:80&module=\(module)"
            let script = Netwatch.file("Tests/Support/Scripts/askers.py")
            return try namespace.start(["/usr/bin/python3", script, String(port), "\(count)", path] + more)
        }
        let halves = try ask(8, "brief", "half")
        _ = try await program.run.wait(for: "the answers") { halves.output.hasSuffix("\n8\n") ? true : nil }
        let askers = try ask(64, "patient")
        _ = try await program.run.wait(for: "the questions") { askers.output.contains("ready\n") ? true : nil }
        let query = "probe?target=127.0.0.1:1&module=tcp_connect"
        _ = try await program.run.wait(for: "the last place") { try program.get(query).code == 503 ? true : nil }
        _ = askers.terminate()
        _ = try await program.run.wait(for: "a place", within: .seconds(20)) {
            try program.get(query).code == 200 ? true : nil
        }
    }

    @Test(
        "values are those of what was probed, and why it failed stands beside them",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func values() async throws {
        let world = try World()
        let served = try await ServingProgram(world.ours.yaml, section: world.ours.section, in: world.namespace)
        let page = try served.get("probe?target=127.0.0.1/away").body
        for line in [
            "probe_success 1", "probe_http_status_code 200", "probe_http_redirects 1", "probe_ip_protocol 4",
            "probe_http_content_length 6", "probe_http_uncompressed_body_length 6", "probe_http_ssl 0",
            "probe_ip_addr_hash 3668918509",
        ] {
            #expect(page.contains("\n\(line)\n"), "\(line) in \(page)")
        }
        #expect(page.contains("probe_http_last_modified_timestamp_seconds "))
        #expect(try Command.run(["promtool", "check", "metrics"], input: page) == "")
        let refused = try served.get("probe?module=tcp_connect&target=127.0.0.1:1")
        #expect(refused.code == 200 && refused.body.contains("\nprobe_success 0\n"))
        #expect(
            refused.body.contains(#"probe_failure_info{reason="connection-refused",phase="connect",device=""} 1"#))
        let whole = try served.get("probe?module=tcp_connect&target=tcp://127.0.0.1:1&debug=true").body
        #expect(whole.contains("tcp://127.0.0.1:1") && !whole.contains("tcp://tcp"), "\(whole)")
        let secure = try served.get("probe?target=https://localhost/").body
        #expect(secure.contains(/probe_tls_version_info{version="TLS 1\.[23]"} 1/), "\(secure)")
        #expect(secure.contains(#"subjectalternative="localhost""#))
        let away = try served.get("probe?target=127.0.0.1/&interface=nothing0").body
        #expect(away.contains(#"reason="interface-unusable",phase="",device="nothing0""#), "\(away)")
        let debug = try served.get("probe?target=127.0.0.1:1&debug=true").body
        #expect(debug.contains("The probe has failed.") && debug.contains("\nprobe_success 0\n"), "\(debug)")
        let limited = try served.get("probe?target=127.0.0.1/", "-H", "X-Prometheus-Scrape-Timeout-Seconds: 2")
        #expect(limited.body.contains("\nprobe_timeout_seconds 1.5\n"))
        let echo = try served.get("probe?module=icmp&target=127.0.0.1").body
        #expect(echo.contains("\nprobe_icmp_reply_hop_limit 64\n"), "\(echo)")
    }

    @Test(
        "a host is asked for the name that stands in hostname, which its certificate has to have",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func hostname() async throws {
        let (namespace, authority) = (try TestNamespace(), try CertificateAuthority())
        let certificate = try authority.issue("shop.test", CertificateRequest(names: ["DNS:shop.test"]))
        // Nothing but hostname leads to the shop: no name server knows it, and to all others the host says 404.
        let nginx = try NginxServer(
            in: namespace, port: 80, locations: "location / { return 404; }",
            servers: """
                server {
                    listen 80; listen [::]:80; listen 443 ssl; server_name shop.test;
                    ssl_certificate \(certificate.chainFile); ssl_certificate_key \(certificate.keyFile);
                    location = /away { return 302 https://shop.test/; }
                    location / { return 204; }
                }
                """)
        let served = try await ServingProgram("probes: false\ncaFile: \(authority.rootFile)\n", in: namespace)
        for (query, line) in [
            ("target=127.0.0.1", "probe_http_status_code 404"),
            ("target=127.0.0.1&hostname=", "probe_http_status_code 404"),
            ("target=127.0.0.1&hostname=shop.test", "probe_http_status_code 204"),
            ("target=http://%5B::1%5D:80/&hostname=shop.test", "probe_http_status_code 204"),
            ("target=localhost&hostname=shop.test", "probe_http_status_code 204"),
            ("target=127.0.0.1/away&hostname=shop.test", "probe_http_status_code 204"),
            ("target=https://127.0.0.1/&hostname=shop.test", "probe_http_status_code 204"),
            ("target=https://127.0.0.1/&hostname=other.test", "probe_success 0"),
            ("module=tcp_connect_tls&target=127.0.0.1:443", "probe_success 0"),
            ("module=tcp_connect_tls&target=127.0.0.1:443&hostname=shop.test", "probe_success 1"),
            ("module=tcp_connect&target=127.0.0.1:80&hostname=shop.test", "probe_success 1"),
        ] {
            let page = try served.get("probe?\(query)").body
            #expect(page.contains("\n\(line)\n"), "\(query): \(page)")
        }
        withExtendedLifetime(nginx) {}
    }

    @Test("what cannot be probed or explained is refused with what can be, and pages of other sites ask in vain")
    func refusals() async throws {
        let served = try await ServingProgram("probes: false\n", in: TestNamespace())
        #expect(try served.get("probe").body.hasPrefix("name what to probe"))
        let module = try served.get("probe?target=a&module=nothing")
        #expect(module.code == 400 && module.body.contains("there are: dns, http_2xx,"), "\(module.body)")
        #expect(try served.get("probe?target=a&target=b").code == 400)
        #expect(try served.get("probe?module=tcp_connect&target=a").code == 400)
        #expect(try served.get("probe?target=http://a%20b/").code == 400)
        #expect(try served.get("probe?target=127.0.0.1:1&hostname=192.0.2.1").code == 400)
        #expect(try served.get("probe?target=127.0.0.1:1&hostname=shop.test/").code == 400)
        #expect(try served.get("probe?target=127.0.0.1:1&inteface=lo").body.contains("interface and debug"))
        #expect(try served.get("explain?family=ipv5").code == 400)
        #expect(try served.get("explain?interface=").code == 400)
        #expect(try served.get("explain?host=a").body.contains("target, interface and family"))
        for path in ["probe?target=127.0.0.1:1", "explain?target=http://127.0.0.1:1/"] {
            #expect(try served.get(path, "-H", "Sec-Fetch-Site: cross-site").code == 403)
            #expect(try served.get(path, "-H", "Sec-Fetch-Site: none").code == 200)
        }
    }

    @Test("a module of a medium is probed by an interface of that medium")
    func medium() async throws {
        let (namespace, far) = (try TestNamespace(), try TestNamespace())
        try namespace.ip("link add up0 type veth peer name far0 netns \(far.path)\naddress add 192.0.2.2/24 dev up0")
        try far.ip("address add 192.0.2.1/24 dev far0\nlink set far0 up")
        try namespace.ip("link set up0 up\nroute add default via 192.0.2.1 dev up0")
        let nginx = try NginxServer(in: far, port: 80, locations: "location / { return 204; }")
        let module = "  modules:\n    cable: {url: 'http://{target}/', medium: ethernet, statuses: '204'}\n"
        let served = try await ServingProgram("probes: false\n", section: module, in: namespace)
        let answer = try served.get("probe?target=192.0.2.1&module=cable")
        #expect(answer.body.contains("\nprobe_success 1\n"), "\(answer.body)")
        withExtendedLifetime(nginx) {}
    }

    @Test("the way to a target is explained as JSON, or as the lines that netwatch explain writes")
    func explanation() async throws {
        let served = try await ServingProgram(
            "probes: false\ntargets: [{name: shop, url: 'tcp://127.0.0.1:1'}]\n", in: TestNamespace())
        let json = try served.get("explain?target=shop")
        #expect(json.code == 200)
        #expect(try Netwatch.validate([String(json.body.dropLast())], by: Netwatch.explanationSchema))
        #expect(json.body.contains("\"reason\":\"connection-refused\""))
        let text = try served.get("explain?target=shop", "-H", "Accept: text/plain").body
        #expect(text.hasPrefix("tcp://127.0.0.1:1: "), "\(text)")
    }

    @Test(
        "a module that makes no URL is refused with its key",
        arguments: [
            ("{url: 'http://shop.test/'}", "expected {target}"), ("{timeout: 1s}", "url"),
            ("{url: 'http://{target}', colour: red}", "colour"),
            ("{url: 'tcp://{target}', statuses: '200'}", "statuses"),
        ])
    func badModule(module: String, word: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("service:\n  modules:\n    mine: \(module)\n".utf8, to: "a.yaml").string
        let outcome = try await Netwatch.run(["serve", "--check", "--config", file])
        #expect(outcome.status == 78)
        #expect(outcome.errorText.contains("\(file):3:") && outcome.errorText.contains(word), "\(outcome.errorText)")
    }
}
