package import EventLoop
import Netwatch
import SystemPackage

/// `netwatch replay`: prints the events of a recorded run again.
package struct ReplayProgram: Sendable {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Throws: ``TraceError`` at the first line that is damaged or does not fit, when all before it is printed.
    package func run(on loop: EventLoop) async throws {
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        var trace = try TraceReader(path: path)
        while let event = try trace.next() { try await output.write(event.jsonLine) }
    }
}
