import Foundation
import TestSupport

/// The program under test, as it was built beside this test bundle.
enum Netwatch {
    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "netwatch").path

    static let schema = file("packaging/netwatch-event.schema.json")
    static let explanationSchema = file("packaging/netwatch-explanation.schema.json")

    /// Whether all lines are as a schema says; throws with the first mistake where one is not.
    static func validate(_ lines: [String], by schema: String = schema) throws -> Bool {
        let command = ["/usr/bin/python3", file("Tests/Support/Scripts/validate-lines.py"), schema]
        let text = lines.map { $0 + "\n" }.joined()
        return try Command.run(command, input: text) == "\(lines.count) lines\n"
    }

    /// The path of a file of the package.
    static func file(_ path: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: path).path
    }

    /// Starts it.
    static func start(_ arguments: String..., in namespace: TestNamespace? = nil) throws -> ProgramRun {
        try ProgramRun([path] + arguments, in: namespace)
    }

    /// What a run to the end came to.
    struct Outcome {
        let status: Int32
        let lines: [String]
        let errorText: String
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], in namespace: TestNamespace? = nil) async throws -> Outcome {
        try await run(command: [path] + arguments, in: namespace)
    }

    /// Runs another program that runs it.
    static func run(command: [String], in namespace: TestNamespace? = nil) async throws -> Outcome {
        let run = try ProgramRun(command, in: namespace)
        let status = try await run.end()
        return Outcome(status: status, lines: run.lines, errorText: run.errorText)
    }
}

/// A line of `netwatch --json`, as far as the tests look at it.
struct JSONLine: Decodable {
    struct Path: Decodable, Equatable {
        struct Family: Decodable, Equatable {
            let interface: String?
            let gateway: String?
            let source: String?
            let metric: UInt32?
        }

        struct Interface: Decodable, Equatable {
            struct Address: Decodable, Equatable {
                let address: String
            }

            let name: String
            let mtu: UInt32?
            let addresses: [Address]
        }

        let ipv4: Family
        let ipv6: Family
        let nameServers: [String]
        let interfaces: [Interface]
    }

    struct Target: Decodable, Equatable {
        let target: String
        let status: String
    }

    struct Probe: Decodable, Equatable {
        let target: String
        let outcome: String
    }

    struct State: Decodable, Equatable {
        let reachability: String
        let connectivity: String
        let interfaces: [String]
    }

    struct Cause: Decodable {
        let kind: String
        let description: String
        let interface: String?
    }

    let seq: UInt64
    let kind: String
    let reachability: String
    let connectivity: String
    let interfaces: [String]
    let from: State?
    let cause: Cause
    let skipped: UInt64
    let path: Path?
    let targets: [Target]?
    let othersUp: Bool?
    let probes: [Probe]?

    /// The state after it.
    var to: State { State(reachability: reachability, connectivity: connectivity, interfaces: interfaces) }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSONLine.self, from: Data(text.utf8))
    }
}
