import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch status", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct StatusTests {
    @Test("without a path is 4, with one and no probes 0")
    func path() async throws {
        let uplink = try Uplink()
        let none = try await Netwatch.run(["status", "--no-probe"], in: uplink.namespace)
        #expect(none.status == 4)
        #expect(none.lines.count == 1)
        #expect(none.lines[0].hasPrefix("none  "))
        try uplink.connect()
        let some = try await Netwatch.run(["status", "--no-probe"], in: uplink.namespace)
        #expect(some.status == 0)
        #expect(some.lines[0].hasPrefix("ethernet via up0, not probed  IPv4 via 192.0.2.1 dev up0"))
        #expect(some.errorText == "")
    }

    @Test("as JSON is one line of the schema")
    func json() async throws {
        let outcome = try await Netwatch.run(["status", "--json", "--no-probe"], in: try TestNamespace())
        #expect(outcome.lines.count == 1)
        #expect(try JSONLine(outcome.lines[0]).kind == "snapshot")
    }

    @Test("is 0 where all targets answer, 3 where one does not, 3 where none does, 5 behind a portal")
    func probes() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let server = try NginxServer(
            in: uplink.namespace, port: 80,
            locations: "location /good { return 204; } location /portal { return 302 http://login.test/; }")
        defer { withExtendedLifetime(server) {} }
        let (good, bad) = ("http://192.0.2.2/good", "http://192.0.2.2:81/")
        #expect(try await Self.status(uplink, good) == 0)
        #expect(try await Self.status(uplink, good, bad) == 3)
        #expect(try await Self.status(uplink, bad) == 3)
        let portal = try await Netwatch.run(
            ["status", "--timeout", "10s", "--probe", "http://192.0.2.2/portal"], in: uplink.namespace)
        #expect(portal.status == 5)
        #expect(portal.lines.first?.hasPrefix("portal  ") == true)
        #expect(portal.lines.first?.hasSuffix("sign in at http://login.test/") == true, "\(portal.lines)")
    }

    @Test("waits for a target for as long as that one may take by itself")
    func ownTimeout() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let script = """
            import socket, time
            listener = socket.create_server(("192.0.2.2", 80))
            while True:
                connection = listener.accept()[0]
                connection.recv(4096)
                time.sleep(1.5)
                connection.sendall(b"HTTP/1.1 204 No Content\\r\\nConnection: close\\r\\n\\r\\n")
                connection.close()
            """
        let server = try uplink.namespace.start("/usr/bin/python3", "-c", script)
        defer { withExtendedLifetime(server) {} }
        try FreePort.waitForListener("-t", "sport = :80", in: uplink.namespace)
        let folder = try TemporaryFolder()
        let settings = #"{"timeout":0.1,"retryDelay":0.1,"targets":[{"url":"http://192.0.2.2/","timeout":10}]}"#
        _ = try folder.write(settings.utf8, to: "netwatch.json")
        let file = folder.path.appending("netwatch.json").string
        let outcome = try await Netwatch.run(["status", "--config", file], in: uplink.namespace)
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("trusts the authorities it is given")
    func caFile() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let folder = try TemporaryFolder()
        let authority = folder.path.appending("ca.pem").string
        let script = """
            cd "$0"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem \
              -out ca.pem -subj /CN=test -addext subjectAltName=IP:192.0.2.2
            """
        try Command.run(["sh", "-c", script, folder.path.string])
        let server = try NginxServer(
            in: uplink.namespace, port: 80,
            servers: """
                server {
                    listen 443 ssl;
                    ssl_certificate \(authority);
                    ssl_certificate_key \(folder.path.appending("key.pem").string);
                    location / { return 204; }
                }
                """)
        defer { withExtendedLifetime(server) {} }
        #expect(try await Self.status(uplink, "https://192.0.2.2/") == 3)
        #expect(try await Self.status(uplink, "https://192.0.2.2/", options: ["--ca-file", authority]) == 0)
    }

    private static func status(_ uplink: Uplink, _ targets: String..., options: [String] = []) async throws -> Int32 {
        let arguments = targets.flatMap { ["--probe", $0] } + options
        let outcome = try await Netwatch.run(["status", "--timeout", "10s"] + arguments, in: uplink.namespace)
        #expect(outcome.errorText == "")
        return outcome.status
    }
}
