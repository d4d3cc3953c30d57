/// Tasks that are held still. A transfer that serves several stands still only while all of them do.
extension Session {
    /// Holds a task's transfers still, or lets them go on.
    package func setSuspended(_ task: TaskID, _ isSuspended: Bool) {
        if isSuspended { suspended.insert(task) } else { suspended.remove(task) }
        running[task]?.tell(isSuspended ? .suspended : .resumed)
        settleSuspension(of: shared.transfer(of: task))
    }

    /// Makes a transfer wait for one more task. It goes by a name of its own (``Exchange/holder``).
    package func join(_ transfer: TaskID, _ task: TaskID) {
        shared.join(transfer, task)
        settleSuspension(of: transfer)
    }

    /// A task does not wait for a transfer any more.
    package func leave(_ transfer: TaskID, _ task: TaskID) {
        shared.leave(transfer, task)
        settleSuspension(of: transfer)
    }

    /// Holds transfers still while their task is suspended, or lets them go on.
    private func settleSuspension(of holder: TaskID) {
        let isSuspended = isSuspended(holder)
        for pool in pools.all {
            for id in pool.transfers(of: holder) { complete(pool.setSuspended(id, isSuspended)) }
        }
    }

    /// Whether a transfer is to stand still: all tasks that wait for it are suspended.
    func isSuspended(_ holder: TaskID) -> Bool {
        !suspended.isEmpty && shared.tasks(of: holder).isSubset(of: suspended)
    }
}
