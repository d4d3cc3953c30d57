import Synchronization

/// A task that its session can end.
package protocol EndableTask: AnyObject, Sendable {
    var id: TaskID { get }
    func cancel()
}

/// The tasks of a session that are not over: those that run, and those that a caller holds and has not started.
///
/// It holds none of them itself. It may be used from any thread.
package final class TaskRegistry: Sendable {
    private struct Entry {
        weak var task: (any EndableTask)?
    }

    private let entries = Mutex<[TaskID: Entry]>([:])
    /// The tasks that were started and have not come to the session yet: it may be invalidated between.
    private let expected = Mutex<(tasks: Set<TaskID>, isClosed: Bool)>((tasks: [], isClosed: false))

    package func add(_ task: any EndableTask) {
        entries.withLock { $0[task.id] = Entry(task: task) }
    }

    package func remove(_ id: TaskID) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// A task is started, and comes to the session soon. Once that is invalidated none is expected any more.
    package func begin(_ id: TaskID) {
        expected.withLock { if !$0.isClosed { $0.tasks.insert(id) } }
    }

    /// A task has come: whether it was started before the session was invalidated.
    func arrive(_ id: TaskID) -> Bool {
        expected.withLock { $0.tasks.remove(id) != nil }
    }

    func close() {
        expected.withLock { $0.isClosed = true }
    }

    var isExpecting: Bool { expected.withLock { !$0.tasks.isEmpty } }

    /// The tasks in the order they were made.
    package var tasks: [any EndableTask] {
        // A task that loses its last reference here removes itself, which needs the lock: so it happens after it.
        let entries = entries.withLock { $0 }
        return entries.values.compactMap(\.task).sorted { $0.id < $1.id }
    }
}
