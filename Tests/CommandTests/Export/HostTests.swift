import Connectivity
import Foundation
import Netwatch
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite("Which host it is")
struct HostTests {
    private static let machine = "4f9c2d1ab7e84c0f9a3b5d6e7f801234"

    private static func id(_ machineID: String) throws -> String {
        let folder = try TemporaryFolder()
        return MachineIdentity.id(path: try folder.write(machineID.utf8, to: "machine-id").string, name: "router")
    }

    @Test("the id is made of the machine-id as systemd makes one for a program, and never changes")
    func id() throws {
        #expect(try Self.id(Self.machine + "\n") == "5c1a9a8cc2054f958b631145d945b415")
        #expect(try Self.id(Self.machine + "\n") == Self.id(Self.machine))
        #expect(try Self.id(Self.machine) != Self.id("5" + Self.machine.dropFirst()))
    }

    @Test(
        "systemd makes the same id of this host's machine-id",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-id128")))
    func systemd() throws {
        guard FileManager.default.fileExists(atPath: MachineIdentity.usualPath) else { return }
        let application = MachineIdentity.application.map { String(format: "%02x", $0) }.joined()
        let outcome = try Command.capture(["systemd-id128", "machine-id", "--app-specific", application])
        guard outcome.status == 0 else { return }
        let id = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(MachineIdentity.id(name: "x") == id)
    }

    @Test(
        "without a usable machine-id it is made of the name",
        arguments: ["", "uninitialized\n", "00000000000000000000000000000000", "xyz"])
    func withoutMachineID(text: String) throws {
        let id = try Self.id(text)
        #expect(id == MachineIdentity.id(path: "/nonexistent", name: "router"))
        #expect(id != MachineIdentity.id(path: "/nonexistent", name: "router-2"))
        #expect(id.count == 32)
    }

    @Test("each event says which host's it is, as the schema has it")
    func event() throws {
        let origin = EventOrigin(
            id: try Self.id(Self.machine), name: "router-7", labels: ["site": "Zürich \"West\"", "role": "kiosk"],
            epoch: 1_795_350_463)
        for event in [Event.snapshot(), .online] {
            let line = String(decoding: event.jsonLine(of: origin), as: UTF8.self)
            #expect(try Netwatch.validate([String(line.dropLast())]))
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let host = try #require(object?["host"] as? [String: Any])
            #expect(object?["epoch"] as? Int == 1_795_350_463)
            #expect(host["labels"] as? [String: String] == origin.labels)
            #expect(host["name"] as? String == "router-7")
            #expect(host["id"] as? String == origin.id)
        }
        #expect(Event.online.jsonLine(of: nil) == Event.online.jsonLine)
    }
}
