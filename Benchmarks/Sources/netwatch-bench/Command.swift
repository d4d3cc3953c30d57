import Foundation

/// Runs a program to its end and returns what it printed.
@discardableResult
func command(_ arguments: String..., input: String? = nil) throws -> String {
    try command(arguments, input: input)
}

/// Runs a program to its end and returns what it printed.
@discardableResult
func command(_ arguments: [String], input: String? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let feed = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : feed
    try process.runSignalled()
    if let input {
        Thread.detachNewThread {
            try? feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? feed.fileHandleForWriting.close()
        }
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    while process.isRunning { usleep(200) }
    guard process.terminationStatus == 0 else {
        throw BenchmarkError.command(
            arguments.joined(separator: " "), status: process.terminationStatus, output: text.trimmed)
    }
    return text
}
