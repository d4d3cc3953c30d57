import Foundation

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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let inputPipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : inputPipe
        try process.run()
        if let input {
            try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try inputPipe.fileHandleForWriting.close()
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                command: arguments.joined(separator: " "), status: process.terminationStatus, output: text)
        }
        return text
    }
}
