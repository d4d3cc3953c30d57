import Foundation
import Netwatch
import SystemPackage
import TestSupport
import Testing

@Suite("What is shipped for the service", .timeLimit(.minutes(2)))
struct ServicePackagingTests {
    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Netwatch.file(path), encoding: .utf8)
    }

    @Test(
        "systemd judges the unit to be exposed by 1.1 of 10 at most",
        .enabled(if: isInstalled("systemd-analyze"), "systemd-analyze is not installed"))
    func exposure() throws {
        let unit = Netwatch.file("packaging/systemd/netwatch.service")
        let verdict = try Command.run(["systemd-analyze", "security", "--offline=yes", "--threshold=11", unit])
        #expect(verdict.contains("Overall exposure level for netwatch.service: "))
    }

    /// Without it the program is killed as soon as it asks for its place with the scheduler.
    @Test("a call that the unit forbids fails, and does not end the program")
    func forbiddenCalls() throws {
        #expect(try Self.text("packaging/systemd/netwatch.service").contains("\nSystemCallErrorNumber=EPERM\n"))
    }

    @Test(
        "the manual pages have no mistake",
        .enabled(if: isInstalled("mandoc"), "mandoc is not installed"),
        arguments: try FileManager.default.contentsOfDirectory(atPath: Netwatch.file("packaging"))
            .filter { $0.hasSuffix(".1") || $0.hasSuffix(".3") })
    func manual(page: String) throws {
        // A page without a date is the same whenever it is made.
        let complaints = try Command.capture([
            "mandoc", "-T", "lint", "-W", "warning", Netwatch.file("packaging/\(page)"),
        ])
        let others = complaints.output.split(separator: "\n").filter { !$0.contains("missing date") }
        #expect(others == [])
    }

    @Test("the configuration that is shipped says nothing, and names the schema that is shipped")
    func configuration() async throws {
        let file = Netwatch.file("packaging/netwatch.yaml")
        #expect(try await Netwatch.run(["serve", "--check", "--config", file]).status == 0)
        let text = try Self.text("packaging/netwatch.yaml")
        #expect(text.contains("netwatch-configuration.schema.json"))
        // What is behind the marks is a configuration, too.
        let folder = try TemporaryFolder()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.map { line in
            let rest = line.drop { $0 == " " }
            // "# " begins prose, and "#  " an element of a list.
            return rest.hasPrefix("#") && (!rest.hasPrefix("# ") || rest.hasPrefix("#  "))
                ? line.prefix { $0 == " " } + rest.dropFirst() : line
        }
        let path = try folder.write(shown.joined(separator: "\n").utf8, to: "shown.yaml").string
        let outcome = try await Netwatch.run(["serve", "--check", "--verbose", "--config", path])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.lines.contains { $0.hasPrefix("targets[1].certificateDays: 14 ") })
    }

    @Test("the package has the version of the program")
    func version() throws {
        #expect(
            try Self.text("packaging/debian/changelog").hasPrefix("netwatch (\(NetwatchVersion.current)) "))
    }

    @Test("what Scripts/install puts where people expect it, and takes away again")
    func installation() throws {
        let folder = try TemporaryFolder()
        let (built, stage) = (folder.path.appending("built"), folder.path.appending("stage"))
        try Command.run(["mkdir", built.string])
        for name in ["netwatch", "libNetwatchC.so"] {
            try Command.run(["cp", "/bin/true", built.appending(name).string])
        }
        let install = Netwatch.file("Scripts/install")
        let environment = ["env", "PREFIX=/usr", "LIBDIR=/usr/lib/here", "DESTDIR=\(stage)"]
        try Command.run(environment + [install, built.string])
        let files = try Command.run(["find", stage.string, "!", "-type", "d"])
        for file in [
            "/etc/netwatch/netwatch.yaml", "/usr/bin/netwatch", "/usr/lib/here/libnetwatch.so.0",
            "/usr/lib/systemd/system/netwatch.service", "/usr/lib/systemd/system/netwatch-wait-online.service",
            "/usr/lib/sysusers.d/netwatch.conf", "/usr/share/man/man1/netwatch-serve.1",
            "/usr/share/netwatch/netwatch-configuration.schema.json", "/usr/share/netwatch/netwatch-openapi.json",
            "/usr/share/netwatch/prometheus/netwatch.rules.yml",
        ] {
            #expect(files.contains("\(stage)\(file)\n"), "\(file)")
        }
        try Command.run(environment + [install, "--uninstall"])
        #expect(try Command.run(["find", stage.string, "!", "-type", "d"]) == "")
    }
}
