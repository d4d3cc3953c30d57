import Foundation
import TestSupport
import Testing

/// Real brokers, real hosts and real faults: `Tests/Support/Scripts` tells what is looked at. `make bench ARGS=fleet` does the same for
/// longer, and with more of them.
@Suite(
    "A fleet that is tried",
    .enabled(if: TestNamespace.unavailable == nil && MosquittoServer.isInstalled, "no namespaces, or no mosquitto"),
    .serialized, .timeLimit(.minutes(6)))
struct FleetTrialTests {
    /// Runs a script to its end, and returns the line of JSON that it ends with.
    private static func run(_ script: String, _ arguments: String...) async throws -> [String: Any] {
        let command =
            ["/usr/bin/python3", Netwatch.file("Tests/Support/Scripts/\(script).py"), Netwatch.path] + arguments
        let run = try ProgramRun(command, in: try TestNamespace())
        _ = try await run.end(within: .seconds(330))
        let line = try #require(run.lines.last, "\(run.errorText)")
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(
        "loses no event and tells none twice, over brokers that are killed, hosts that are cut off, and hosts that are killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/nats-server"), "no nats-server"))
    func trial() async throws {
        let figures = try await Self.run(
            "fleet-trial", "--hosts", "6", "--seconds", "40", "--heartbeat", "2", "--slack", "15")
        #expect(figures["wrong"] as? [String] == [], "\(figures)")
        #expect((figures["events"] as? Int ?? 0) > 50, "\(figures)")
    }

    @Test("sends everything in order that came while a host had no broker, also what came before it was killed")
    func offline() async throws {
        let figures = try await Self.run("fleet-offline", "--events", "1000")
        #expect(figures["missing"] as? Int == 0 && figures["gaps"] as? Int == 0, "\(figures)")
        #expect(figures["isInOrder"] as? Bool == true && figures["epochs"] as? Int == 2, "\(figures)")
        #expect(figures["arrived"] as? Int == figures["events"] as? Int, "\(figures)")
    }

    @Test("is known to its reader as a whole, though a broker says all of it at once, and again after its restart")
    func crowd() async throws {
        let lines = Netwatch.file("Tests/CommandTests/Traces/probes.lines")
        let figures = try await Self.run("fleet-crowd", lines, "--hosts", "2000")
        for name in ["isWhole", "events_followed", "known_after_restart"] {
            #expect(figures[name] as? Bool == true, "\(name): \(figures)")
        }
    }
}
