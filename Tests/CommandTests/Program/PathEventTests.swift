import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "Every change of the path is told", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct PathEventTests {
    /// A change by `ip`, and what the line has to say then.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let before: String
        let command: String
        let isTold: @Sendable (JSONLine.Path) -> Bool

        var testDescription: String { name }

        init(
            _ name: String, before: String = "", _ command: String, isTold: @escaping @Sendable (JSONLine.Path) -> Bool
        ) {
            self.name = name
            self.before = before
            self.command = command
            self.isTold = isTold
        }
    }

    static let changes = [
        Change("the gateway is replaced", "route replace default via 192.0.2.254 dev up0") {
            $0.ipv4.gateway == "192.0.2.254"
        },
        Change("IPv6 is gained", "address add 2001:db8::2/64 dev up0 nodad\nroute add default via 2001:db8::1 dev up0")
        {
            $0.ipv6.gateway == "2001:db8::1"
        },
        Change(
            "IPv6 is lost",
            before: "address add 2001:db8::2/64 dev up0 nodad\nroute add default via 2001:db8::1 dev up0",
            "route delete default via 2001:db8::1 dev up0"
        ) { $0.ipv6.gateway == nil },
        Change("an address is added", "address add 192.0.2.77/24 dev up0") {
            $0.interfaces.contains { $0.addresses.contains { $0.address == "192.0.2.77" } }
        },
        Change(
            "an address is deleted", before: "address add 192.0.2.77/24 dev up0", "address delete 192.0.2.77/24 dev up0"
        ) {
            !$0.interfaces.contains { $0.addresses.contains { $0.address == "192.0.2.77" } }
        },
        Change(
            "the metric is another", "route add default via 192.0.2.1 dev up0 metric 7\nroute delete default metric 0"
        ) {
            $0.ipv4.metric == 7
        },
        Change(
            "the source is another", before: "address add 192.0.2.77/24 dev up0",
            "route replace default via 192.0.2.1 dev up0 src 192.0.2.77"
        ) { $0.ipv4.source == "192.0.2.77" },
        Change("the longest packet is shorter", "link set up0 mtu 1400") { $0.interfaces.contains { $0.mtu == 1400 } },
    ]

    @Test("in one line of its own, and never differs under one number", arguments: changes)
    func told(change: Change) async throws {
        let uplink = try Uplink()
        try uplink.connect()
        if !change.before.isEmpty { try uplink.namespace.ip(change.before) }
        let run = try Netwatch.start("--json", "--no-probe", "--listen", "127.0.0.1:0", in: uplink.namespace)
        let base = try await run.address()
        // What the kernel still has to say of what was set up.
        _ = try await run.line { (try? JSONLine($0))?.reachability == "ethernet" }
        let seen = run.lines.count
        try uplink.namespace.ip(change.command)
        let line = try await run.wait(for: change.name) {
            try run.lines.dropFirst(seen).map(JSONLine.init).first { $0.path.map(change.isTold) ?? false }
        }
        #expect(["path", "transition"].contains(line.kind))
        #expect(line.reachability == "ethernet")
        // A caller that asks is told what the event of that number said.
        for _ in 0..<20 {
            let status = try JSONLine(uplink.namespace.run("curl", "-s", "-m", "20", "\(base)status"))
            let event = try #require(
                try run.lines.map(JSONLine.init).last { $0.seq <= status.seq && $0.path != nil })
            if run.lines.count >= status.seq { #expect(event.path == status.path) }
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(try Netwatch.validate(run.lines))
        #expect(try run.lines.map { try JSONLine($0).seq } == Array(1...UInt64(run.lines.count)))
        #expect(try run.lines.map(JSONLine.init).contains { $0.kind == "path" })
    }

    @Test("a name server, too")
    func nameServer() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("nameserver 192.0.2.53\n".utf8), to: "resolv.conf").string
        let mount = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""
        let run = try ProgramRun(
            ["unshare", "--mount", "sh", "-c", mount, file, Netwatch.path, "--json", "--no-probe"], in: uplink.namespace
        )
        _ = try await run.line { (try? JSONLine($0))?.path?.nameServers == ["192.0.2.53"] }
        // In place: the mount shows the file, and not what comes under its name.
        try Command.run(["sh", "-c", "echo nameserver 192.0.2.54 > \"$0\"", file])
        let line = try await run.line { (try? JSONLine($0))?.path?.nameServers == ["192.0.2.54"] }
        #expect(try JSONLine(line).kind == "path")
        #expect(try JSONLine(line).cause.kind == "name-servers")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }
}

extension ProgramRun {
    /// Where it serves, as it tells it.
    func address() async throws -> String {
        try await wait(for: "the address") {
            errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
    }
}
