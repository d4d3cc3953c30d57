import Foundation
import Glibc
import Synchronization

/// A program that runs beside a test and is ended with the last reference to it.
public final class BackgroundProcess: Sendable {
    public let processID: Int32
    private let process: Mutex<Process>
    private let output: Pipe

    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        processID = process.processIdentifier
        self.output = output
        self.process = Mutex(process)
    }

    deinit {
        terminate()
    }

    /// Sends SIGTERM and waits for the end.
    public func terminate() {
        process.withLock { process in
            guard process.isRunning else { return }
            process.terminate()
            process.waitUntilExit()
        }
    }
}
