package import EventLoop
import Glibc
import Synchronization
import SystemPackage

/// Runs a program's work on one event loop while the main thread sleeps until it has ended.
///
/// The loop's thread goes first where processors are scarce: this process is there for nothing else.
///
/// All tasks of the work prefer the loop. Swift's own pool of threads is not even started: it stands on Dispatch, which
/// wakes up once a second once it was used.
package enum MainLoop {
    /// The loops that have done their work. They stand still before the process ends (``EventLoop/haltAllAtExit()``).
    private static let finished = Mutex<[EventLoop]>([])

    /// - Parameter signals: Signals that the work itself listens to (``SignalSource``).
    package static func run<Value: Sendable>(
        handling signals: [CInt] = [], _ work: @escaping @Sendable (EventLoop) async throws -> Value
    ) throws -> Value {
        SignalSource.block(signals)
        let loop = try EventLoop()
        loop.schedule(after: .zero) { ThreadScheduling.goFirst() }
        let (reader, writer) = try pipe()
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        Task(executorPreference: loop) {
            let result: Result<Value, any Error>
            do { result = .success(try await work(loop)) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            try writer.close()
        }
        waitForEnd(of: reader)
        finished.withLock { $0.append(loop) }
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private static func pipe() throws(EventLoopError) -> (reader: FileDescriptor, writer: FileDescriptor) {
        do {
            let ends = try FileDescriptor.pipe()
            return (ends.readEnd, ends.writeEnd)
        } catch {
            throw .setup(call: "pipe", error as? Errno ?? .tooManyOpenFiles)
        }
    }

    private static func waitForEnd(of reader: FileDescriptor) {
        var byte: UInt8 = 0
        while unsafe read(reader.rawValue, &byte, 1) < 0 && errno == EINTR {}
    }
}
