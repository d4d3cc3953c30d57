import Connectivity
import Foundation
import Testing

@testable import Probing

/// One thing that can be wrong between this host and what it wants to reach, made for real, and what `explain` has to say
/// of it.
struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    /// How the tests make it, for the documentation.
    let making: String
    /// The first step that is broken.
    let step: Explanation.Kind
    let reason: ConnectivityReason
    /// The command that shows the same, which is printed.
    let command: String
    /// A word of what to try.
    let advice: String
    /// What else has to stand there: evidence, whose fault it is, whether anything else works.
    let words: [String]
    let make: @Sendable (FaultWorld) throws -> Void

    init(
        _ name: String, _ making: String, at step: Explanation.Kind, _ reason: ConnectivityReason, _ command: String,
        advice: String, words: [String] = [], _ make: @escaping @Sendable (FaultWorld) throws -> Void
    ) {
        self.name = name
        self.making = making
        self.step = step
        self.reason = reason
        self.command = command
        self.advice = advice
        self.words = words
        self.make = make
    }

    var testDescription: String { name }

    static let groups = [
        ofTheLink, ofTheWay, ofTunnelsAndGateways, ofNames, ofTheTransport, ofThisHost, ofProxiesAndFamilies, ofTLS,
        ofTheAnswer,
    ]

    /// Those that ``groups`` cannot make, because they are the process's own: Tests/CommandTests makes them.
    static let ofTheProcess = [
        Fault(
            "no file descriptor left", "`ulimit -n`", at: .host, .overloaded, "ulimit -n", advice: "raise the limit"
        ) { _ in }
    ]
}

/// Documentation/Faults.md
enum FaultTable {
    static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/Faults.md")

    /// What has to stand there.
    static var markdown: String {
        let faults = Fault.groups.joined() + Fault.ofTheProcess
        let head = """
            # What `netwatch explain` finds

            Each of these \(faults.count) faults is made for real by the tests (Tests/ConnectivityTests/Faults; the process's own by
            Tests/CommandTests), in network namespaces and as a user without any privilege. `explain` has to stop at this step,
            with this reason, and to print this command. The host is 10.1.0.2 on `up1`, its gateway 10.1.0.1, the server
            10.99.0.1, which is called `check.test`, and 1.1.1.1 stands for the Internet. Written by the tests from their own table
            (`NETWATCH_WRITE_DOCUMENTS=1 swift test --filter FaultTests.documentation`).

            | fault | made by | first broken step | reason | command that shows it |
            |---|---|---|---|---|

            """
        return head + faults.map { "\($0.row)\n" }.joined()
    }
}

extension Fault {
    fileprivate var row: String {
        "| \([name, making, step.rawValue, "`\(reason.rawValue)`", "`\(command)`"].joined(separator: " | ")) |"
    }
}
