import Foundation
import SystemPackage
import TestSupport
import Testing

/// `netwatch serve` in a namespace, with a file of its own, and its address over TCP.
struct ServingProgram {
    let namespace: TestNamespace
    let folder: TemporaryFolder
    let run: ProgramRun
    /// `http://127.0.0.1:PORT/`, as it told it.
    let base: String

    /// - Parameters:
    ///   - yaml: The configuration but for the section `service`.
    ///   - section: More of that section, two blanks before each line.
    init(_ yaml: String, section: String = "", options: [String] = [], in namespace: TestNamespace) async throws {
        self.namespace = namespace
        folder = try TemporaryFolder()
        let text = yaml + "service:\n  listen: 127.0.0.1:0\n  socket: none\n" + section
        let file = try folder.write(text.utf8, to: "netwatch.yaml").string
        run = try ProgramRun([Netwatch.path, "serve", "--config", file] + options, in: namespace)
        let run = run
        base = try await run.wait(for: "the address") {
            run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
        _ = try await run.line(0)
    }

    /// Asks, and returns the status code and the body.
    func get(_ path: String, _ options: String...) throws -> (code: Int, body: String) {
        let text = try namespace.run(
            arguments: ["curl", "-g", "-s", "-m", "30", "-w", "\n%{http_code}"] + options + [base + path])
        let cut = try #require(text.lastIndex(of: "\n"))
        return (Int(text[text.index(after: cut)...]) ?? 0, String(text[..<cut]))
    }
}

extension TestNamespace {
    /// Runs a program inside to its end and returns what it printed.
    @discardableResult
    func run(arguments: [String]) throws -> String {
        try Command.run(["nsenter", "--net=\(path)", "--"] + arguments)
    }
}
