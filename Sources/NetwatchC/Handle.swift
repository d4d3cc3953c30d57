import Netwatch
import Synchronization

/// What a `netwatch *` points to: one monitor on a loop of its own, and the caller's callback.
final class Handle: Sendable {
    private let loop: EventLoop
    private let monitor: ConnectivityMonitor
    private let subscription = Mutex<Subscription?>(nil)

    init(configuration: String?) throws {
        let document = try ConfigurationDocument(json: configuration ?? "{}")
        loop = try EventLoop()
        monitor = ConnectivityMonitor(configuration: try document.configuration(), loop: loop)
    }

    /// The state as it is, as JSON.
    var current: String {
        Self.json(monitor.current)
    }

    func setCallback(_ callback: Callback?) {
        subscribe(nil)
        if let callback { subscribe(monitor.onEvent(on: .loop) { callback.call(Self.json($0)) }) }
        waitForTheLoop()
    }

    /// Where several threads set callbacks at once, one of them stays and no other.
    private func subscribe(_ new: Subscription?) {
        let previous = subscription.withLock { subscription in
            defer { subscription = new }
            return subscription
        }
        previous?.cancel()
    }

    func start() throws {
        let monitor = monitor
        try Blocking.run(on: loop) { try await monitor.start() }
    }

    func check() {
        Task(executorPreference: loop) { [monitor] in await monitor.check() }
    }

    func stop() {
        let monitor = monitor
        // Fails only when called from the callback, which netwatch.h rules out; the monitor then goes on.
        try? Blocking.run(on: loop) { await monitor.stop() }
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
        OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }

    static func from(_ pointer: OpaquePointer?) -> Handle? {
        pointer.map { Unmanaged<Handle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    static func release(_ pointer: OpaquePointer?) {
        guard let pointer else { return }
        let handle = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue()
        handle.setCallback(nil)
        handle.stop()
    }
}
