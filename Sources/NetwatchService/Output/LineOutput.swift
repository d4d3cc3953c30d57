package import EventLoop
import NetworkAddress
package import SystemPackage

/// Writes whole lines on the loop's thread, at once where the reader takes them, and never blocks.
///
/// A reader that does not keep up suspends the writing task. Nothing is queued here: the task that produces the lines
/// waits, and decides what to leave out meanwhile. One task writes at a time.
package actor LineOutput {
    private let loop: EventLoop
    private let descriptor: OutputDescriptor
    private var watch: Watch?
    private var isClosed = false
    /// Whether what was written so far ends in the middle of a line.
    package private(set) var isWithinLine = false
    private var writer: CheckedContinuation<Void, Never>?
    private var closeWaiters: [CheckedContinuation<Void, Never>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - descriptor: Where to write. It is only borrowed for this call.
    ///   - name: What errors call it: `standard output`.
    package init(_ descriptor: FileDescriptor, name: String, loop: EventLoop) throws(OutputError) {
        self.loop = loop
        self.descriptor = try OutputDescriptor(descriptor, name: name)
    }

    deinit {
        if let watch { loop.end(watch) }
    }

    /// Writes bytes, waiting as long as the reader does not take them.
    ///
    /// Returns early, with the rest unwritten, when the task is cancelled.
    package func write(_ bytes: [UInt8]) async throws(OutputError) {
        var rest = try writeAtOnce(bytes)
        while !rest.isEmpty, !Task.isCancelled {
            await waitUntilWritable()
            rest = try writeAtOnce(rest)
        }
    }

    /// Writes an answer that the exit status gives as well: a reader that has left, as in `netwatch status | head -0`, is no error.
    package func writeAnswer(_ bytes: [UInt8]) async throws(OutputError) {
        do throws(OutputError) {
            try await write(bytes)
        } catch {
            guard case .closed = error else { throw error }
        }
    }

    /// Writes what the reader takes at this moment, and returns the rest.
    package func writeAtOnce(_ bytes: [UInt8]) throws(OutputError) -> [UInt8] {
        var rest = bytes.span
        while !rest.isEmpty {
            guard !isClosed else { throw .closed }
            guard case .written(let count) = try descriptor.write(rest) else { break }
            if count > 0 { isWithinLine = rest[count - 1] != UInt8(ascii: "\n") }
            rest = rest.extracting(droppingFirst: count)
        }
        return [UInt8](rest)
    }

    /// Returns when the reader is gone, or when the task is cancelled.
    package func waitUntilClosed() async {
        watchForReader()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isClosed || Task.isCancelled { return continuation.resume() }
                closeWaiters.append(continuation)
            }
        } onCancel: {
            later { $0.releaseCloseWaiters() }
        }
    }

    /// Does something on the loop's thread: a task of its own would begin on Swift's pool of threads.
    private nonisolated func later(_ work: @escaping @Sendable (isolated LineOutput) -> Void) {
        loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated(work) }
    }

    private func waitUntilWritable() async {
        watchForReader()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Asked for only now: between two awaits an answer could come before the task waits for it.
                let isAsked = watch.map { (try? loop.update($0, interest: .writable)) != nil } ?? false
                guard isAsked, !isClosed, !Task.isCancelled else { return continuation.resume() }
                writer = continuation
            }
        } onCancel: {
            later { $0.releaseWriter() }
        }
    }

    /// Asks the kernel to tell when the reader goes: epoll(7) reports that without being asked for anything else.
    private func watchForReader() {
        guard watch == nil, !isClosed, descriptor.isPollable else { return }
        watch = try? loop.watch(descriptor.rawValue, for: []) { [weak self] readiness in
            self?.assumeIsolated { $0.become(readiness) }
        }
    }

    private func become(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: .failed) { close() } else if let watch { try? loop.update(watch, interest: []) }
        releaseWriter()
    }

    private func close() {
        isClosed = true
        if let watch { loop.end(watch) }
        watch = nil
        releaseCloseWaiters()
    }

    private func releaseWriter() {
        writer?.resume()
        writer = nil
    }

    private func releaseCloseWaiters() {
        closeWaiters.forEach { $0.resume() }
        closeWaiters = []
    }
}
