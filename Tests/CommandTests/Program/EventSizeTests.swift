import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "An event tells what it is about",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "needs namespaces and nginx"),
    .timeLimit(.minutes(3)))
struct EventSizeTests {
    @Test("of 200 targets those whose status has changed, and the snapshot all")
    func manyTargets() async throws {
        let uplink = try Uplink()
        // Its link-local address would come a second or two later, as a change of the path.
        try uplink.namespace.ip("link set up0 addrgenmode none")
        try uplink.connect()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        defer { withExtendedLifetime(server) {} }
        let targets = (0..<200).map { #"{"name": "t\#($0)", "url": "http://192.0.2.2/\#($0)"}"# }
        let folder = try TemporaryFolder()
        let file = try folder.write(
            #"{"interval": 1, "timeout": 10, "targets": [\#(targets.joined(separator: ","))]}"#.utf8, to: "many.json")
        let run = try Netwatch.start(
            "--json", "--config", file.string, "--listen", "127.0.0.1:0", in: uplink.namespace)
        let base = try await run.address()
        let told = try await run.wait(for: "all to be up") {
            let lines = try run.lines.map(JSONLine.init)
            var known: [String: String] = [:]
            for line in lines {
                if line.othersUp == true { known = known.mapValues { _ in "up" } }
                for target in line.targets ?? [] { known[target.target] = target.status }
            }
            return known.values.count { $0 == "up" } == 200 && lines.last?.connectivity == "full" ? lines : nil
        }
        #expect(told.first?.targets?.count == 200)
        let lines = run.lines.dropFirst()
        #expect(lines.reduce(0) { $0 + $1.utf8.count } < 400_000)
        // Where the program is late, one event tells what several would have told.
        let size = try lines.map { try $0.utf8.count / (1 + Int(JSONLine($0).skipped)) }
        #expect(size.max() ?? 0 < 4_000, "\(lines.max { $0.utf8.count < $1.utf8.count } ?? "")")
        // Later rounds bring nothing new.
        let count = run.lines.count
        let probes = "netwatch_probes_total{result=\"success\"} "
        _ = try await run.wait(for: "another round") {
            let metrics = try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)metrics")
            let line = metrics.split(separator: "\n").first { $0.hasPrefix(probes) }
            return line.flatMap { Int($0.dropFirst(probes.count)) }.flatMap { $0 >= 500 ? true : nil }
        }
        #expect(run.lines.count == count)
        let status = try JSONLine(uplink.namespace.run("curl", "-s", "-m", "20", "\(base)status"))
        #expect(status.targets?.count == 200)
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(try Netwatch.validate(run.lines))
        #expect(try Command.run(["jq", "-r", ".reachability"], input: run.lines.last) == "ethernet\n")
    }

    @Test("and with --results there is a line for each probe, which has the number of the event before it")
    func results() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        defer { withExtendedLifetime(server) {} }
        let run = try Netwatch.start(
            "--json", "--results", "--probe", "web=http://192.0.2.2/", "--interval", "200ms", "--timeout", "10s",
            in: uplink.namespace)
        _ = try await run.wait(for: "results") {
            try run.lines.count { try JSONLine($0).kind == "result" } >= 5 ? true : nil
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(try Netwatch.validate(run.lines))
        let lines = try run.lines.map(JSONLine.init)
        let first = try #require(lines.firstIndex { $0.kind == "result" })
        // The result, and then what follows from it.
        #expect(lines[first].connectivity == "unknown")
        #expect(lines[first + 1].connectivity == "full")
        for (before, after) in zip(lines, lines.dropFirst()) {
            #expect(after.seq == before.seq + (after.kind == "result" ? 0 : 1))
        }
        #expect(lines.filter { $0.kind == "result" }.allSatisfy { $0.probes?.map(\.target) == ["web"] })
        #expect(lines.last?.reachability == "ethernet")
    }

    @Test(
        "which is refused where nobody would read it", arguments: [["--results"], ["--results", "--json", "--quiet"]])
    func refused(arguments: [String]) async throws {
        let outcome = try await Netwatch.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("--results is for --json"), "\(outcome.errorText)")
    }
}
