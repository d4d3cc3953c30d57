import Foundation
import Glibc
import TestSupport
import Testing

/// The user without a privilege, and the command that makes a program that user's.
private enum Nobody {
    static let command = [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all",
        "--no-new-privs",
    ]

    /// Why the program cannot be run by another user here; nil where it can.
    static let obstacle: String? = {
        guard TestNamespace.unavailable == nil, geteuid() == 0 else { return "not root, or no namespaces" }
        let version = try? Command.capture(command + [Netwatch.path, "--version"])
        return version?.status == 0 ? nil : "another user cannot run \(Netwatch.path)"
    }()
}

@Suite(
    "netwatch without a privilege", .enabled(if: Nobody.obstacle == nil, "needs root, to give it up"),
    .timeLimit(.minutes(2)))
struct UnprivilegedTests {
    @Test("links, addresses, routes, rules and carriers are told, and a probe is made")
    func events() async throws {
        let uplink = try Uplink()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        defer { withExtendedLifetime(server) {} }
        let run = try ProgramRun(
            Nobody.command + [Netwatch.path, "--json", "--probe", "http://192.0.2.2/", "--timeout", "2s"],
            in: uplink.namespace)
        #expect(try JSONLine(await run.line(0)).reachability == "none")
        let status = try String(contentsOfFile: "/proc/\(run.processID)/status", encoding: .utf8)
        #expect(status.contains("CapEff:\t0000000000000000\n") && status.contains("CapBnd:\t0000000000000000\n"))
        #expect(status.contains("Uid:\t65534\t65534\t65534\t65534\n"))
        try uplink.connect()
        _ = try await run.line { (try? JSONLine($0))?.connectivity == "full" }
        for (change, cause) in [
            ("link set far0 down", "up0 lost its carrier"), ("link set far0 up", "up0 got its carrier"),
            ("rule add preference 5 prohibit", "rule"), ("rule delete preference 5", "rule"),
            ("address delete 192.0.2.2/24 dev up0", "192.0.2.2"),
        ] {
            let seen = run.lines.count
            try uplink.namespace.ip(change)
            _ = try await run.wait(for: cause) {
                try run.lines.dropFirst(seen).first {
                    let event = try JSONLine($0)
                    return event.kind == "transition" && event.cause.description.contains(cause)
                }
            }
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
    }
}
