/// Watches what happens to the tasks of a session, or to one task.
public protocol EventMonitor: Sendable {
    /// Called on the loop's thread as it happens, so it must not block; it may be in the middle of a transfer, and so
    /// must not call a session of this loop synchronously.
    func observe(_ event: TaskEvent)

    /// Called on the loop's thread before a request is sent again. By default nothing is done.
    func observe(_ retry: RetryEvent)

    /// Called on the loop's thread once an answer was validated, before it is read. By default nothing is done.
    func observe(_ validation: ValidationEvent)

    /// Called on the loop's thread when a session that was invalidated has no task left. By default nothing is done.
    func observe(invalidationOf session: Session)
}

extension EventMonitor {
    public func observe(_ retry: RetryEvent) {}
    public func observe(_ validation: ValidationEvent) {}
    public func observe(invalidationOf session: Session) {}
}

/// The observers of one transfer.
package struct TaskObservers: Sendable {
    let task: TaskID
    let monitors: [any EventMonitor]

    package init(task: TaskID, monitors: [any EventMonitor]) {
        self.task = task
        self.monitors = monitors
    }

    var isEmpty: Bool { monitors.isEmpty }

    /// Makes the event only where a monitor watches.
    package func tell(_ kind: @autoclosure () -> TaskEvent.Kind) {
        guard !monitors.isEmpty else { return }
        let event = TaskEvent(task: task, kind: kind())
        for monitor in monitors { monitor.observe(event) }
    }

    package func tell(retryAfter delay: Duration, count: Int, _ result: Result<Response, RequestError>) {
        let event = RetryEvent(task: task, count: count, delay: delay, result: result)
        for monitor in monitors { monitor.observe(event) }
    }

    package func tell(validationOf response: Response, by validation: ResponseValidation) {
        guard !monitors.isEmpty else { return }
        let event = ValidationEvent(task: task, response: response, error: validation.check(response).error)
        for monitor in monitors { monitor.observe(event) }
    }
}
