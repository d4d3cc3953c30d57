import Glibc
import SystemPackage

/// A program of the system's, run by a test.
public enum Command {
    /// A program ended with another status than 0.
    public struct Failure: Error, CustomStringConvertible {
        public let command: String
        public let status: Int32
        public let output: String

        public var description: String { "\(command): exit status \(status): \(output)" }
    }

    /// Runs a program to its end and returns what it printed; throws where its exit status is not 0.
    @discardableResult
    public static func run(_ arguments: [String], input: String? = nil) throws -> String {
        let inputFile = try ScratchFile()
        try inputFile.write(input ?? "")
        let output = try ScratchFile()
        let status = try ChildProcess(
            arguments, input: inputFile.descriptor, output: output.descriptor, error: output.descriptor
        ).wait()
        guard status == 0 else {
            throw Failure(command: arguments.joined(separator: " "), status: status, output: output.text)
        }
        return try output.read()
    }

    /// What a program left when it had ended.
    public struct Outcome: Sendable {
        public var status: Int32
        public var output: String
        public var errors: String
    }

    /// Runs a program to its end, whatever its exit status, and tells what it printed on which of its streams.
    public static func capture(_ arguments: [String], input: String = "") throws -> Outcome {
        let (inputFile, output, errors) = (try ScratchFile(), try ScratchFile(), try ScratchFile())
        try inputFile.write(input)
        let status = try ChildProcess(
            arguments, input: inputFile.descriptor, output: output.descriptor, error: errors.descriptor
        ).wait()
        return Outcome(status: status, output: try output.read(), errors: try errors.read())
    }
}
