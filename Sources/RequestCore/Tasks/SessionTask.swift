import EventLoop
public import RequestEngine
import Synchronization

/// A request under way that can be held still, let go on and cancelled, from any thread.
///
/// It is made suspended and starts with ``resume()``. It keeps itself and its session alive while it runs.
public final class SessionTask<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, RequestError>

    /// The task's number, which no other task of the process has. It stays the same over redirects and retries.
    public let id: TaskID
    public let kind: TaskKind
    /// The request as it was given.
    public let request: Request

    private struct Storage {
        var machine = TaskMachine()
        var work: Task<Void, Never>?
        var wasSuspended = false
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
    }

    private let session: Session
    private let storage = Mutex(Storage())
    private let progress: ProgressMonitor
    private let perform: @Sendable (any EventMonitor) async throws(RequestError) -> Value
    private let giveUp: @Sendable (RequestError) -> RequestError

    /// - Parameter giveUp: Completes the error of a task that never starts.
    init(
        _ kind: TaskKind, _ request: Request, in session: Session, id: TaskID,
        perform: @escaping @Sendable (any EventMonitor) async throws(RequestError) -> Value,
        giveUp: @escaping @Sendable (RequestError) -> RequestError = { $0 }
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.session = session
        self.perform = perform
        self.giveUp = giveUp
        progress = ProgressMonitor()
        session.registry.add(self)
    }

    deinit {
        session.registry.remove(id)
        // One that was never started comes to no other end.
        progress.finish()
    }

    public var state: TaskState { storage.withLock { $0.machine.state } }

    // MARK: Control

    /// Starts the task, or lets it go on.
    public func resume() {
        act { $0.resume() }
    }

    /// Holds the task still: it takes no more bytes until ``resume()``. Time-outs but `total` stand still too.
    public func suspend() {
        act { $0.suspend() }
    }

    /// Ends the task with ``RequestError/Reason/cancelled``.
    public func cancel() {
        act { $0.cancel() }
    }

    private func act(_ event: (inout TaskMachine) -> TaskMachine.Action) {
        let action = storage.withLock { storage in
            let action = event(&storage.machine)
            // Told to the session in the order in which they were decided, whichever threads they come from: the last one counts.
            if action == .hold || action == .proceed { setSuspended(action == .hold, &storage) }
            return action
        }
        switch action {
        case .nothing, .hold, .proceed: break
        case .start: start()
        case .endTransfer: storage.withLock { $0.work }?.cancel()
        case .completeAsCancelled: end(.failure(giveUp(RequestError(.cancelled))))
        }
    }

    private func start() {
        session.registry.begin(id)
        // The loop as the task's executor spares a detour: a continuation is resumed by way of the task's executor, which
        // without one is the concurrent pool, before it comes back to its actor.
        let work = Task(executorPreference: session.loop) {
            do throws(RequestError) {
                self.complete(.success(try await self.perform(self.progress)))
            } catch {
                self.complete(.failure(error))
            }
        }
        let isCanceling = storage.withLock { storage in
            storage.work = work
            return storage.machine.state == .canceling
        }
        if isCanceling { work.cancel() }
    }

    private func setSuspended(_ isSuspended: Bool, _ storage: inout Storage) {
        storage.wasSuspended = true
        session.loop.schedule(after: .zero) { [session, id] in
            session.assumeIsolated { $0.setSuspended(id, isSuspended) }
        }
    }

    // MARK: The end

    private func complete(_ outcome: Outcome) {
        guard storage.withLock({ $0.machine.complete() }) else { return }
        end(outcome)
        guard storage.withLock({ $0.wasSuspended }) else { return }
        // A suspension may come to the session only after the end.
        session.loop.schedule(after: .zero) { [session, id] in session.assumeIsolated { $0.forget(id) } }
    }

    private func end(_ outcome: Outcome) {
        let waiters = storage.withLock { storage in
            storage.outcome = outcome
            storage.work = nil
            defer { storage.waiters = [] }
            return storage.waiters
        }
        session.registry.remove(id)
        progress.finish()
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// What the task came to. Waiting for it does not start the task; cancelling the wait cancels it.
    public var value: Value {
        get async throws(RequestError) {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in wait(continuation) }
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    private func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = storage.withLock { storage in
            if storage.outcome == nil { storage.waiters.append(continuation) }
            return storage.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    // MARK: Progress

    /// How much of the answer's body has come, whenever there is more: the newest only, and to the end of the task.
    public var downloadProgress: AsyncStream<TransferProgress> { progress.received.stream }
    /// How much of the request's body was sent, in the same way.
    public var uploadProgress: AsyncStream<TransferProgress> { progress.sent.stream }
}

/// A task that gives an answer.
public typealias DataTask = SessionTask<Response>
/// A task that sends a body and gives an answer.
public typealias UploadTask = SessionTask<Response>
/// A task that writes a file.
public typealias DownloadTask = SessionTask<DownloadResponse>
