import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
    "What stands in front of the service, and who follows it",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct FrontTests {
    @Test(
        "the example of nginx in front: TLS, a password, events as they come, and no reload",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(2)))
    func front() async throws {
        let (uplink, folder, authority) = (try Uplink(), try TemporaryFolder(), try CertificateAuthority())
        let name = "status.example.org"
        let certificate = try authority.issue(name, CertificateRequest(names: ["DNS:\(name)"]))
        let program = try await ServingProgram(
            "", section: "  hosts: [\(name)]\n", options: ["--no-probe"], in: uplink.namespace)
        let password = try Command.run(["openssl", "passwd", "-apr1", "geheim"])
        let users = try folder.write("me:\(password)".utf8, to: "users").string
        let example = try String(contentsOfFile: Netwatch.file("packaging/examples/tls-front.conf"), encoding: .utf8)
        let text = example.replacing("/etc/ssl/\(name).pem", with: certificate.chainFile)
            .replacing("/etc/ssl/private/\(name).key", with: certificate.keyFile)
            .replacing("/etc/nginx/netwatch.htpasswd", with: users)
            .replacing("http://127.0.0.1:19115", with: String(program.base.dropLast()))
        let server = try NginxServer(in: uplink.namespace, servers: text)
        let options = ["curl", "-s", "--cacert", authority.rootFile, "--resolve", "\(name):443:127.0.0.1"]
        func ask(_ path: String, _ more: String...) throws -> String {
            try uplink.namespace.run(
                arguments: options + ["-m", "20", "-w", " %{http_code}"] + more + ["https://\(name)\(path)"])
        }
        #expect(try ask("/status").hasSuffix(" 401"))
        #expect(try ask("/status", "-u", "me:geheim").hasSuffix(" 200"))
        #expect(try ask("/status", "-u", "me:geheim", "-X", "POST").hasSuffix(" 403"))
        #expect(try ask("/reload", "-u", "me:geheim").hasSuffix(" 404"))
        let stream = try BackgroundProcess(
            ["nsenter", "--net=\(uplink.namespace.path)", "--"] + options + [
                "-N", "-u", "me:geheim", "https://\(name)/events",
            ])
        _ = try await program.run.wait(for: "the state") {
            stream.output.contains("\"kind\":\"snapshot\"") ? true : nil
        }
        try uplink.connect()
        _ = try await program.run.wait(for: "the change", within: .seconds(10)) {
            stream.output.contains("\"kind\":\"transition\"") ? true : nil
        }
        withExtendedLifetime(server) {}
    }

    /// How many descriptors the service may have at most.
    private static var descriptors: UInt {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit.rlim_max : 0
    }

    @Test(
        "a thousand follow the events, ten of which stop to read: none of the others misses one",
        .enabled(if: descriptors >= 2048, "fewer than 2048 descriptors are allowed here"), .timeLimit(.minutes(4)))
    func thousand() async throws {
        let uplink = try Uplink()
        let program = try await ServingProgram(
            "", section: "  maximumReaders: 1000\n", options: ["--no-probe"], in: uplink.namespace)
        let port = try #require(program.base.split(separator: ":").last?.dropLast())
        let readers = try BackgroundProcess(
            [
                "nsenter", "--net=\(uplink.namespace.path)", "--", "/usr/bin/python3",
                Netwatch.file("Tests/Support/Scripts/event-readers.py"), String(port), "1000", "10", "198.51.100.77",
            ])
        _ = try await program.run.wait(for: "the readers", within: .seconds(100)) {
            readers.output.contains("ready\n") ? true : nil
        }
        try uplink.connect()
        // Each is an event of its own, and one that nobody reads is in nobody's way.
        for number in 1...40 {
            let count = program.run.lines.count
            try uplink.namespace.ip("route replace default via 192.0.2.\(number + 100) dev up0")
            _ = try await program.run.wait(for: "event \(number)") { program.run.lines.count > count ? true : nil }
        }
        try uplink.namespace.ip(
            """
            address add 198.51.100.2/24 dev up0
            route replace default via 198.51.100.77 dev up0
            """)
        let report = try await program.run.wait(for: "the report", within: .seconds(120)) {
            readers.output.split(separator: "\n").first { $0.hasPrefix("{") }
        }
        #expect(report.contains("\"whole\": 990,"), "\(report)")
    }
}
