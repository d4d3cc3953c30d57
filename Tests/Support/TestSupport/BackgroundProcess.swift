import Glibc
import Synchronization

/// A program that runs beside a test and is ended with the last reference to it.
public final class BackgroundProcess: Sendable {
    public let processID: Int32
    private let process: ChildProcess
    private let outputFile: ScratchFile
    private let exitStatus = Mutex<Int32?>(nil)

    /// Starts a program, found by its name or path.
    public init(_ arguments: [String]) throws {
        let inputFile = try ScratchFile()
        outputFile = try ScratchFile()
        process = try ChildProcess(
            arguments, input: inputFile.descriptor, output: outputFile.descriptor, error: outputFile.descriptor)
        processID = process.id
    }

    deinit {
        terminate()
    }

    /// What the program has printed so far, on both of its streams.
    public var output: String { outputFile.text }

    /// Whether the program has ended by itself.
    public var hasEnded: Bool {
        exitStatus.withLock { exitStatus in
            exitStatus = exitStatus ?? process.exitStatusIfEnded()
            return exitStatus != nil
        }
    }

    /// Whether the program comes to be ready within half a minute, and does not end before.
    public func becomesReady(_ isReady: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<6000 {
            if try isReady() { return true }
            if hasEnded { return false }
            usleep(5_000)
        }
        return false
    }

    /// Sends SIGTERM (and SIGKILL five seconds later), waits for the end and returns the exit status.
    @discardableResult
    public func terminate() -> Int32 {
        exitStatus.withLock { exitStatus in
            let status = exitStatus ?? process.terminate()
            exitStatus = status
            return status
        }
    }
}
