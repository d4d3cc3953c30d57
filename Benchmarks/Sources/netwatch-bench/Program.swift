import CKernelFloor
import Foundation
import Synchronization

/// A program that runs beside the measurement; notes when each of its lines arrived.
final class Program: Sendable {
    struct Line: Sendable {
        var time: UInt64
        var text: String
    }

    let name: String
    let processID: Int32
    private let process: Mutex<Process>
    private let lines: LineCollector

    /// - Parameter keepsLines: Whether what it prints is wanted, or only read so that it is not held up.
    init(_ arguments: [String], name: String? = nil, keepsLines: Bool = true) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.runSignalled()
        self.name = name ?? arguments.joined(separator: " ")
        processID = process.processIdentifier
        lines = LineCollector(reading: output.fileHandleForReading, keepsLines: keepsLines)
        self.process = Mutex(process)
    }

    deinit {
        end()
    }

    /// Sends SIGTERM and waits for the end. (`waitUntilExit` needs a run loop, which an asynchronous `main` has not.)
    func end() {
        process.withLock { process in
            guard process.isRunning else { return }
            process.terminate()
            for _ in 0..<5000 where process.isRunning { usleep(1000) }
            guard process.isRunning else { return }
            FileHandle.standardError.write(Data("\(name) has to be killed\n".utf8))
            kill(process.processIdentifier, SIGKILL)
        }
    }

    var lineCount: Int { lines.count }

    /// The lines from the given position on.
    func lines(from position: Int) -> [Line] {
        lines.suffix(from: position)
    }

    /// The first line from the given position on that satisfies a condition, as soon as it is there.
    func line(
        from start: Int = 0, within limit: Duration = .seconds(10), _ event: String, where condition: (Line) -> Bool
    )
        throws -> Line
    {
        let deadline = ContinuousClock.now + limit
        var position = start
        while ContinuousClock.now < deadline {
            let fresh = lines.suffix(from: position)
            if let found = fresh.first(where: condition) { return found }
            position += fresh.count
            usleep(200)
        }
        throw BenchmarkError.silent(name, waitedFor: event)
    }

    /// Waits until nothing was printed for a while.
    func quieten(for silence: Duration = .milliseconds(300)) {
        var count = -1
        while count != lines.byteCount {
            count = lines.byteCount
            usleep(UInt32(silence / .microseconds(1)))
        }
    }
}

extension Process {
    /// Starts it so that signals reach it. A child is born with the signals blocked that its parent's thread has blocked, and
    /// an asynchronous function goes on, after its first wait, on threads of libdispatch's, which block nearly all: then
    /// SIGTERM would do nothing.
    func runSignalled() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}

/// A thread that blocks in read(2) and stamps each line with the time its end arrived.
private final class LineCollector: Sendable {
    private let lines = Mutex<[Program.Line]>([])

    private let keepsLines: Bool
    private let bytes = Atomic(0)

    init(reading handle: FileHandle, keepsLines: Bool) {
        self.keepsLines = keepsLines
        let descriptor = dup(handle.fileDescriptor)
        let thread = Thread { [self] in
            kernel_floor_go_first()
            collect(descriptor)
            close(descriptor)
        }
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    var count: Int { lines.withLock { $0.count } }
    var byteCount: Int { bytes.load(ordering: .relaxed) }

    func suffix(from position: Int) -> [Program.Line] {
        lines.withLock { Array($0.dropFirst(position)) }
    }

    private func collect(_ descriptor: Int32) {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let length = read(descriptor, &buffer, buffer.count)
            let time = kernel_floor_now()
            guard length > 0 else { return }
            bytes.add(length, ordering: .relaxed)
            guard keepsLines else { continue }
            pending += buffer[..<length]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let text = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                lines.withLock { $0.append(Program.Line(time: time, text: text)) }
            }
        }
    }
}
