import Foundation
import TestSupport
import Testing

/// Recordings of named scenarios: of network namespaces by `Traces/record`, and `lab-…` of real Wi-Fi, WWAN, VLAN, bond,
/// team, tunnel, WireGuard and VRF devices in the virtual machine of `Tests/Lab`.
@Suite("Recordings of scenarios", .timeLimit(.minutes(2)))
struct RecordingTests {
    private static let folder = Netwatch.file("Tests/CommandTests/Traces")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".trace.gz") }.map { String($0.dropLast(".trace.gz".count)) }.sorted()

    @Test("there is one of each scenario that is recorded in namespaces, and of each of the lab's that is recorded")
    func completeness() throws {
        let script = try String(contentsOfFile: "\(Self.folder)/record", encoding: .utf8)
        let scenarios = script.split(separator: "\n").filter { $0.contains("() { # scenario: ") }
            .compactMap { $0.split(separator: "(").first.map { String($0) } }
        let folder = Netwatch.file("Tests/Lab/scenarios")
        let lab = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).contains("start_netwatch\n") }
            .map { "lab-" + $0.dropLast(".sh".count) }
        #expect(Set(Self.names) == Set(scenarios + lab))
        #expect(scenarios.count >= 20 && lab.count >= 10)
    }

    @Test("each gives the events that it gave, byte for byte", arguments: RecordingTests.names)
    func replay(name: String) async throws {
        let replay = try await Netwatch.run(command: [
            "sh", "-c", "gzip -dc \"$1\" | exec \"$0\" replay /dev/stdin", Netwatch.path,
            "\(Self.folder)/\(name).trace.gz",
        ])
        #expect(replay.status == 0)
        #expect(replay.errorText == "")
        let expected = try Command.run(["gzip", "-dc", "\(Self.folder)/\(name).lines.gz"])
        #expect(replay.lines.map { $0 + "\n" }.joined() == expected)
    }
}
