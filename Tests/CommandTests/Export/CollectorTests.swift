import Foundation
import SystemPackage
import TestSupport
import Testing

/// Collectors that others have made, and what they make of what a service sends. Both are of PyPI (see ``PythonPackage``).
@Suite(
    "OpenTelemetry's own", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct CollectorTests {
    private static func serve(port: Int, in uplink: Uplink, _ folder: TemporaryFolder) throws -> ProgramRun {
        let yaml = """
            targets: [{name: gone, url: "tcp://127.0.0.1:1"}]
            service:
              listen: 127.0.0.1:0
              socket: \(folder.path.appending("s.sock").string)
              name: router-7
              labels: {site: Bern}
              targetHistograms: true
              push: {url: 'http://127.0.0.1:\(port)', format: otlp, interval: 300ms}

            """
        let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
        return try ProgramRun(
            [Netwatch.path, "serve", "--config", file, "--no-default-probes"], in: uplink.namespace)
    }

    @Test(
        "definitions know every member of every body",
        .enabled(if: PythonPackage.isInstalled("opentelemetry.proto"), "opentelemetry-proto (PyPI) is not installed"))
    func strict() async throws {
        let python = try #require(PythonPackage("opentelemetry.proto"))
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let script = Netwatch.file("Tests/Support/Scripts/otlp-collector.py")
        let collector = try BackgroundProcess(uplink.namespace.enter + ["/usr/bin/python3", script, "\(port)"])
        let run = try Self.serve(port: port, in: uplink, folder)
        try uplink.connect()
        _ = try await run.wait(for: "the transition", within: .seconds(60)) {
            collector.output.contains("netwatch.transition") ? true : nil
        }
        let lines = collector.output.split(separator: "\n").filter { $0.hasSuffix("}") }
        #expect(lines.count >= 3)
        let text = try Command.run(
            [python.interpreter, Netwatch.file("Tests/Support/Scripts/otlp-strict.py")],
            input: lines.joined(separator: "\n") + "\n")
        let counts = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 }, "\(text)")
    }

    @Test(
        "protocol is understood by a collector that others have made, metrics and events",
        .enabled(if: PythonPackage.isInstalled("rotel"), "rotel (PyPI) is not installed"))
    func rotel() async throws {
        let python = try #require(PythonPackage("rotel"))
        let (uplink, folder) = (try Uplink(), try TemporaryFolder())
        let (port, other) = (try FreePort.next(), try FreePort.next())
        let agent = try BackgroundProcess(
            uplink.namespace.enter + [
                try python.file("rotel-agent", of: "rotel"), "start", "--otlp-http-endpoint", "127.0.0.1:\(port)",
                "--otlp-grpc-endpoint", "127.0.0.1:\(other)", "--exporter", "blackhole", "--debug-log", "metrics",
                "--debug-log", "logs", "--debug-log-verbosity", "detailed",
            ])
        let run = try Self.serve(port: port, in: uplink, folder)
        try uplink.connect()
        for word in ["host.name", "Str(router-7)", "netwatch_host_info", "netwatch.transition", "netwatch.seq"] {
            _ = try await run.wait(for: word, within: .seconds(60)) { agent.output.contains(word) ? true : nil }
        }
        #expect(!run.errorText.contains("answers 4"))
    }
}
