import Glibc
import Synchronization
import SystemPackage

/// A program under test: its standard output is a pipe that the test reads line by line, its standard error a file.
public final class ProgramRun: Sendable {
    /// What was awaited did not come in time, with all that the program has printed.
    public struct NotSeen: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    private struct State {
        var bytes: [UInt8] = []
        var lines: [String] = []
        var reader: CInt
        var exitStatus: Int32?
    }

    private let process: ChildProcess
    /// Kept, because the program enters it some time after it was started.
    private let namespace: TestNamespace?
    private let errorFile: ScratchFile
    private let state: Mutex<State>

    /// Starts a program, in a namespace where one is given.
    ///
    /// - Parameter input: What it reads on its standard input.
    public init(_ arguments: [String], in namespace: TestNamespace? = nil, input: String = "") throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        defer { close(ends[1]) }
        // Only this end does not block: each end of a pipe has flags of its own.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        self.namespace = namespace
        let inputFile = try ScratchFile()
        try inputFile.write(input)
        errorFile = try ScratchFile()
        state = Mutex(State(reader: ends[0]))
        process = try ChildProcess(
            (namespace?.enter ?? []) + arguments, input: inputFile.descriptor, output: ends[1],
            error: errorFile.descriptor)
    }

    deinit {
        closeOutput()
        if state.withLock({ $0.exitStatus == nil }) { _ = process.terminate() }
    }

    public var processID: Int32 { process.id }

    /// What it has written to standard error so far.
    public var errorText: String { errorFile.text }

    /// The whole lines it has written to standard output so far.
    public var lines: [String] {
        state.withLock { state in
            Self.read(&state)
            return state.lines
        }
    }

    /// Waits for a line, counted from 0.
    public func line(_ index: Int, within limit: Duration = .seconds(30)) async throws -> String {
        try await wait(for: "line \(index)", within: limit) { lines.count > index ? lines[index] : nil }
    }

    /// Waits for the first line that is what is asked for.
    public func line(
        within limit: Duration = .seconds(30), where isWanted: (String) -> Bool
    ) async throws -> String {
        try await wait(for: "a line", within: limit) { lines.first(where: isWanted) }
    }

    /// Waits until something is there.
    public func wait<Value>(
        for what: String, within limit: Duration = .seconds(30), _ value: () throws -> Value?
    ) async throws -> Value {
        let words = { "output:\n\(self.lines.joined(separator: "\n"))\nerrors:\n\(self.errorText)" }
        return try await arrival(of: what, within: limit, seen: words(), value)
    }

    /// Ends the reading of its standard output, as a reader that goes away does.
    public func closeOutput() {
        state.withLock { state in
            guard state.reader >= 0 else { return }
            close(state.reader)
            state.reader = -1
        }
    }

    public func send(_ signal: Int32) {
        kill(process.id, signal)
    }

    /// Waits for its end and returns its exit status.
    public func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
        try await wait(for: "the end", within: limit) {
            state.withLock { state in
                Self.read(&state)
                if state.exitStatus == nil { state.exitStatus = process.exitStatusIfEnded() }
                // What it wrote last may still be in the pipe.
                if state.exitStatus != nil { Self.read(&state) }
                return state.exitStatus
            }
        }
    }

    private static func read(_ state: inout State) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while state.reader >= 0, case let count = Glibc.read(state.reader, &buffer, buffer.count), count > 0 {
            state.bytes += buffer[..<count]
        }
        while let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) {
            state.lines.append(String(decoding: state.bytes[..<end], as: UTF8.self))
            state.bytes.removeSubrange(...end)
        }
    }
}
