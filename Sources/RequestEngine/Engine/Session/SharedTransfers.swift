/// Which tasks wait for a transfer that serves several, so that it is held still only while all of them are.
struct SharedTransfers {
    private var waiting: [TaskID: Set<TaskID>] = [:]
    private var transfers: [TaskID: TaskID] = [:]

    /// The name that a task's transfers go by: its own, unless it shares one.
    func transfer(of task: TaskID) -> TaskID { transfers[task] ?? task }

    /// The tasks that wait for a transfer: the one of its name, unless it is shared.
    func tasks(of transfer: TaskID) -> Set<TaskID> { waiting[transfer] ?? [transfer] }

    mutating func join(_ transfer: TaskID, _ task: TaskID) {
        waiting[transfer, default: []].insert(task)
        transfers[task] = transfer
    }

    mutating func leave(_ transfer: TaskID, _ task: TaskID) {
        transfers[task] = nil
        waiting[transfer]?.remove(task)
        if waiting[transfer]?.isEmpty == true { waiting[transfer] = nil }
    }
}
