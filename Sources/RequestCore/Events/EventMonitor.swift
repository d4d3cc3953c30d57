/// Watches what happens to the tasks of a session, or to one task.
public protocol EventMonitor: Sendable {
    /// Called on the loop's thread as it happens, so it must not block; it may be in the middle of a transfer, and so
    /// must not call a session of this loop synchronously.
    func observe(_ event: TaskEvent)

    /// Called on the loop's thread when a session that was invalidated has no task left. By default nothing is done.
    func observe(invalidationOf session: Session)
}

extension EventMonitor {
    public func observe(invalidationOf session: Session) {}
}

/// Who watches one transfer.
struct TaskObservers: Sendable {
    let task: TaskID
    let monitors: [any EventMonitor]

    var isEmpty: Bool { monitors.isEmpty }

    /// Makes the event only where somebody watches.
    func tell(_ kind: @autoclosure () -> TaskEvent.Kind) {
        guard !monitors.isEmpty else { return }
        let event = TaskEvent(task: task, kind: kind())
        for monitor in monitors { monitor.observe(event) }
    }
}
