import EventLoop
import Glibc
import Netwatch
import RequestEngine
import Synchronization

/// What a `netwatch *` points to: one monitor on a loop of its own, and the caller's callback.
final class Handle: Sendable {
    /// The child of a fork(2) has no thread but the one that called it: what it would wait for never comes, and a lock that
    /// another thread held is held for ever.
    struct CalledAfterFork: Error, CustomStringConvertible {
        var description: String { "this monitor belongs to the process that made it: a child of fork(2) makes its own" }
    }

    /// The caller has not looked whether there is a monitor.
    struct NoMonitor: Error, CustomStringConvertible {
        var description: String { "there is no monitor: netwatch_create has returned NULL and said why" }
    }

    /// A name that `netwatch_wait` was given means nothing here.
    struct UnknownCondition: Error, CustomStringConvertible {
        let name: String
        let targets: [String]
        var description: String {
            name.isEmpty
                ? "name a state or a target to wait for"
                : "there is no target '\(name)'; there are \(targets.joined(separator: ", "))"
        }
    }

    /// How long the end of the loop's thread is waited for.
    private static let patience: Duration = .seconds(5)

    private let process = getpid()
    private let loop: EventLoop
    private let monitor: ConnectivityMonitor
    private let configuration: Mutex<ConnectivityConfiguration>
    private let subscription = Mutex<Subscription?>(nil)
    private let queue = Mutex<(events: EventQueue, subscription: Subscription)?>(nil)

    init(configuration text: String?) throws {
        OpenSSLLibrary.prepare()
        let configuration = try Self.configuration(text)
        loop = try EventLoop()
        monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        self.configuration = Mutex(configuration)
    }

    private static func configuration(_ text: String?) throws -> ConnectivityConfiguration {
        try ConfigurationDocument(json: text ?? "{}").configuration()
    }

    // MARK: The state

    /// The state as it is, as JSON.
    var current: String {
        Self.json(monitor.current)
    }

    /// Finds out how this host reaches something, and where the way is broken, as JSON.
    func explain(_ subject: String?) throws -> String {
        let explainer = Explainer(configuration: configuration.withLock { $0 }, loop: loop)
        let explanation = try Blocking.run(on: loop) { try await explainer.explain(subject) }
        return String(decoding: explanation.json, as: UTF8.self)
    }

    /// Waits until the state is as wanted.
    ///
    /// - Returns: Whether it is, and not the time over.
    func wait(for name: String, timeout: Duration?) throws -> Bool {
        let targets = configuration.withLock { $0.targets.map(\.name) }
        guard let condition = WaitCondition(name) else { throw UnknownCondition(name: name, targets: targets) }
        if case .target = condition, !targets.contains(name) { throw UnknownCondition(name: name, targets: targets) }
        return try Blocking.run(on: loop) { [monitor] in await monitor.wait(for: condition, timeout: timeout) != nil }
    }

    // MARK: The events

    func setCallback(_ callback: Callback?) {
        subscribe(nil)
        if let callback { subscribe(monitor.onEvent(on: .loop) { callback.call(Self.json($0)) }) }
        waitForTheLoop()
    }

    /// Where several threads set callbacks at once, one of them stays and no other.
    private func subscribe(_ new: Subscription?) {
        subscription.withLock { exchange(&$0, with: new) }?.cancel()
    }

    /// The queue that the caller takes events from, which there is from the first time on that the caller asks for it.
    func events() throws -> EventQueue {
        try queue.withLock { queue in
            if let queue { return queue.events }
            let events = try EventQueue()
            let subscription = monitor.onEvent(on: .custom { [weak events] in events?.arrived($0) }) { [weak events] in
                events?.take($0)
            }
            queue = (events, subscription)
            return events
        }
    }

    /// The next event of the queue, as JSON; nil where there is none.
    func nextEvent() -> String? {
        let events = queue.withLock { $0?.events }
        return (events?.next()).map(Self.json)
    }

    // MARK: Life

    func start() throws {
        try Blocking.run(on: loop) { [monitor] in try await monitor.start() }
    }

    func check() {
        Task(executorPreference: loop) { [monitor] in await monitor.check() }
    }

    func configure(_ text: String?) throws {
        let new = try Self.configuration(text)
        // On the loop, so that of two threads the same one is the last for both.
        try Blocking.run(on: loop) { [self] in
            try await monitor.configure(new)
            configuration.withLock { $0 = new }
        }
    }

    func stop() {
        // Fails only when called from the callback, which netwatch.h rules out; the monitor then goes on.
        try? Blocking.run(on: loop) { [monitor] in await monitor.stop() }
    }

    /// Stops for good, and says what there is to wait for once the handle is gone: the end of its thread.
    private func retire() -> EventLoopEnd? {
        setCallback(nil)
        queue.withLock { $0.take() }?.subscription.cancel()
        stop()
        monitor.endWaits()
        return loop.claimEnd()
    }

    /// Returns when what the loop was doing has ended: a callback that was cancelled is not running any more.
    private func waitForTheLoop() {
        try? Blocking.run(on: loop) {}
    }

    private static func json(_ event: Event) -> String {
        String(decoding: event.json, as: UTF8.self)
    }

    // MARK: The C pointer

    func retained() -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }

    /// The handle of a pointer of this process's.
    static func from(_ pointer: OpaquePointer?) -> Handle? {
        guard
            let handle = unsafe pointer.map({
                unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
            })
        else { return nil }
        return handle.process == getpid() ? handle : nil
    }

    /// The same where a failure can be told.
    static func required(_ pointer: OpaquePointer?) throws -> Handle {
        guard let pointer = unsafe pointer else { throw NoMonitor() }
        guard let handle = unsafe from(pointer) else { throw CalledAfterFork() }
        return handle
    }

    /// In the child of a fork(2) nothing is freed: the descriptors are the parent's, too, and closing them takes them from
    /// its epoll(7). Neither is anything once the process ends.
    static func release(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer, unsafe from(pointer) != nil, !EventLoop.isProcessEnding else { return }
        // In a function of its own: a reference that is held here would keep the thread that is waited for.
        let end = unsafe retire(pointer)
        // The process may have begun to end meanwhile: its loops stand still for good.
        guard !EventLoop.isProcessEnding else { return }
        unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
        end?.wait(within: patience)
    }

    private static func retire(_ pointer: OpaquePointer) -> EventLoopEnd? {
        unsafe from(pointer)?.retire()
    }
}
