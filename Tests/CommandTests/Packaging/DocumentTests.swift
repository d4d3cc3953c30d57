import Foundation
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite("What is shipped with the program", .timeLimit(.minutes(2)))
struct DocumentTests {
    @Test("the manual page and the completions are those of the program's own help")
    func documents() throws {
        let folder = try TemporaryFolder()
        try Command.run([
            "/usr/bin/python3", Netwatch.file("packaging/make-documents"), Netwatch.path, folder.path.string,
        ])
        let commands = [
            "status", "wait", "explain", "serve", "reload", "events", "history", "fleet", "record", "replay", "get",
        ]
        let pages = commands.map { "netwatch-\($0).1" }
        for file in pages + [
            "netwatch.1", "libnetwatch.3", "completions/netwatch.bash", "completions/_netwatch",
            "completions/netwatch.fish",
        ] {
            let fresh = try String(contentsOfFile: folder.path.appending(file).string, encoding: .utf8)
            let shipped = try String(contentsOfFile: Netwatch.file("packaging/\(file)"), encoding: .utf8)
            #expect(fresh == shipped, "\(file) is old: run packaging/make-documents PROGRAM")
        }
        try Command.run(["bash", "-n", Netwatch.file("packaging/completions/netwatch.bash")])
    }

    @Test(
        "a synopsis has brackets around what may be left out",
        arguments: [("explain", "[\\fIurl\\-or\\-host\\fR]"), ("fleet", "[\\fIstatus\\fR]"), ("get", "\\fIurl\\fR")])
    func synopsis(command: String, operand: String) throws {
        // It is that of the program's own help, as the test above has it.
        let page = try String(contentsOfFile: Netwatch.file("packaging/netwatch-\(command).1"), encoding: .utf8)
        #expect(page.contains("\n[\\fIOPTION\\fR]... \(operand)\n"))
    }

    @Test(
        "the shell completes values and files",
        arguments: [
            (["wait", "--for", ""], "full limited portal local path ethernet wifi wwan"),
            (["wait", "--for", "wi"], "wifi"),
            (["explain", "--interface", "l"], "lo"), (["get", "-i", "l"], "lo"),
            (["explain", "--family", ""], "ipv4 ipv6"),
            (["replay", ""], "office.json outage.trace"), (["record", "out"], "outage.trace"),
            (["--config", "o"], "office.json"), (["get", "--output", "out"], "outage.trace"),
            (["status", "--ca-file", "out"], "outage.trace"), (["sta"], "status"), (["status", "--js"], "--json"),
        ])
    func completions(words: [String], expected: String) throws {
        let folder = try TemporaryFolder()
        for name in ["office.json", "outage.trace"] { _ = try folder.write([], to: name) }
        let script = """
            cd "$1" && source "$2" && shift 2
            COMP_WORDS=(netwatch "$@") COMP_CWORD=$# COMP_LINE="netwatch $*" COMPREPLY=()
            COMP_POINT=${#COMP_LINE}
            _netwatch netwatch "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            echo "${COMPREPLY[*]}"
            """
        let file = Netwatch.file("packaging/completions/netwatch.bash")
        let answer = try Command.run(["bash", "-c", script, "bash", folder.path.string, file] + words)
        let given = Set(answer.split { $0 == " " || $0 == "\n" }.map(String.init))
        #expect(given == Set(expected.split(separator: " ").map(String.init)))
    }

    @Test(
        "each exit status is told in the help, the manual page and the README",
        arguments: NetwatchService.ExitStatus.allCases)
    func exitStatuses(status: NetwatchService.ExitStatus) throws {
        let help = try Command.run([Netwatch.path, "--help"]).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(help.contains("\(status.rawValue) \(status.meaning)"))
        let manual = try String(contentsOfFile: Netwatch.file("packaging/netwatch.1"), encoding: .utf8)
        #expect(manual.contains("\n.B \(status.rawValue)\n"))
        let readme = try String(contentsOfFile: Netwatch.file("README.md"), encoding: .utf8)
        #expect(readme.contains("| \(status.rawValue) | \(status.meaning) |\n"))
    }

    @Test(
        "help begins with examples, for every command, and fits 80 columns",
        arguments: [
            [], ["status"], ["wait"], ["explain"], ["serve"], ["reload"], ["events"], ["history"], ["fleet"],
            ["record"], ["replay"], ["get"],
        ])
    func examples(command: [String]) throws {
        let help = try Command.run([Netwatch.path] + command + ["--help"])
        let usage = try #require(help.range(of: "USAGE:"))
        let blocks = help[..<usage.lowerBound].split(separator: "\n\n").map { $0.split(separator: "\n") }
        #expect(blocks.contains { $0.first == "EXAMPLES:" })
        // A line of a table that is too wide is broken, and goes on at the margin.
        for table in blocks where table.first?.hasSuffix(":") == true {
            #expect(table.dropFirst().allSatisfy { $0.hasPrefix("  ") }, "\(table)")
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
    }

    @Test(
        "anything but Linux is refused in one sentence",
        arguments: ["Sources/NetworkAddress/Platform.swift", "Sources/EventLoop/Platform.swift"])
    func otherSystems(file: String) throws {
        let check = ["swiftc", "-frontend", "-typecheck", "-parse-stdlib", Netwatch.file(file)]
        #expect(try Command.capture(check).status == 0)
        let elsewhere = try Command.capture(check + ["-target", "arm64-apple-macosx14"])
        #expect(elsewhere.status != 0)
        #expect((elsewhere.output + elsewhere.errors).contains("error: netwatch runs on Linux only: "))
    }

    @Test("the program does without the whole of Foundation, whose data alone is tens of megabytes")
    func linkage() throws {
        let libraries = try Command.run(["ldd", Netwatch.path])
        #expect(libraries.contains("libFoundationEssentials.so"))
        for library in ["libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so"] {
            #expect(!libraries.contains(library), "\(library)")
        }
    }
}
