import Foundation
import SystemPackage
import TestSupport
import Testing

/// Brokers and collectors that do not behave: none of them delays an event or an answer of the service's, and each is told once.
@Suite(
    "A broker or collector that lies",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(3)))
struct LyingPeerTests {
    enum Peer: String, CaseIterable, Sendable {
        /// It takes the connection, and says nothing.
        case silent
        /// It answers with something else.
        case babbling
        /// It answers without an end.
        case endless
        /// It closes each connection.
        case refusing
        /// It asks to come back in an hour.
        case busy
        /// Its certificate is of an authority that nobody has named.
        case strange

        /// What it does with a connection, as a program in Python.
        var script: String {
            let deed =
                switch self {
                case .silent: "time.sleep(600)"
                case .babbling: "c.sendall(b'\\xff' * 4096); time.sleep(600)"
                case .endless:
                    """
                    c.recv(65536); c.sendall(b'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')
                        while True: c.sendall(b'1000\\r\\n' + b'x' * 4096 + b'\\r\\n')
                    """
                case .refusing: "c.close()"
                case .strange: "x.wrap_socket(c, server_side=True).recv(65536)"
                case .busy:
                    """
                    c.recv(65536); c.sendall(b'HTTP/1.1 503 No\\r\\nRetry-After: 3600\\r\\nContent-Length: 0\\r\\n\\r\\n')
                    """
                }
            return """
                import socket, ssl, sys, threading, time
                x = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                if sys.argv[2:]: x.load_cert_chain(sys.argv[2], sys.argv[3])
                s = socket.create_server(('127.0.0.1', int(sys.argv[1])))
                print('ready', flush=True)
                def serve(c):
                    try:
                        \(deed.replacing("\n    ", with: "\n        "))
                    except OSError: pass
                kept = []
                while True:
                    c, _ = s.accept()
                    kept.append(c)
                    threading.Thread(target=serve, args=(c,), daemon=True).start()
                """
        }
    }

    @Test("delays no event and no answer, and is told once", arguments: Peer.allCases)
    func peer(_ peer: Peer) async throws {
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let script = try folder.write(peer.script.utf8, to: "peer.py").string
        let authority = peer == .strange ? try CertificateAuthority() : nil
        let issued = try authority?.issue("127.0.0.1", CertificateRequest(names: ["IP:127.0.0.1"]))
        let files = issued.map { [$0.chainFile, $0.keyFile] } ?? []
        let server = try BackgroundProcess(
            uplink.namespace.enter + ["/usr/bin/python3", script, "\(port)"] + files)
        let secure = authority == nil ? "" : "s"
        let web = "http\(secure)://127.0.0.1:\(port)"
        let service = try await ServingProgram(
            "",
            section: """
                  mqtt: {brokers: [mqtt\(secure)://127.0.0.1:\(port)]}
                  push:
                    - {url: "\(web)", format: otlp, interval: 200ms}
                    - {url: "\(web)/api/v1/import/prometheus", format: prometheus, interval: 200ms}

                """, options: ["--no-probe", "--json"], in: uplink.namespace)
        let run = service.run
        _ = try await run.wait(for: "the peer") { server.output.contains("ready") ? true : nil }
        // While each exporter has its trouble, events come and answers are given.
        for round in 0..<5 {
            let count = run.lines.count
            if round > 0 { try uplink.namespace.ip("link set up0 down\naddress flush dev up0") }
            try uplink.connect()
            _ = try await run.wait(for: "an event") { run.lines.count > count ? true : nil }
            #expect(try service.get("health").code < 600)
            let ready = try service.get("readyz")
            #expect(ready.code == 200 && ready.body.hasPrefix("ok"), "\(ready)")
        }
        let names = ["mqtt", "otlp", "prometheus"]
        let page = try await run.wait(for: "all three to be told", within: .seconds(90)) {
            let page = try service.get("readyz?verbose").body
            let areTold = names.allSatisfy { name in
                page.contains("export-\(name) ") && !page.contains("export-\(name) ok: no attempt")
            }
            return areTold && !page.contains("has not answered yet") ? page : nil
        }
        for name in names { #expect(page.contains("export-\(name) "), "\(page)") }
        let metrics = try service.get("metrics").body
        for name in names where !(peer == .endless && name != "mqtt") {
            #expect(metrics.contains("netwatch_export_up{exporter=\"\(name)\"} 0\n"), "\(name)")
            let lines = run.errorText.split(separator: "\n").filter { $0.contains("\(name): ") }
            #expect(lines.count == 1, "\(lines)")
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }
}
