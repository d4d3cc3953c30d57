/// The life of a task as a value: what each event means in each state, and what is to be done about it.
///
/// `cancel` and the end are final. What makes no sense in a state does nothing.
package struct TaskMachine: Hashable {
    package enum Stage: Hashable, CaseIterable {
        case created
        case running
        case held
        case canceling
        case completed
    }

    package enum Action: Hashable {
        case nothing
        case start
        case hold
        case proceed
        /// End the transfer; the end is told when it has ended.
        case endTransfer
        /// There is no transfer: the end is now.
        case completeAsCancelled
    }

    package private(set) var stage = Stage.created

    package init() {}

    package var state: TaskState {
        switch stage {
        case .created, .held: .suspended
        case .running: .running
        case .canceling: .canceling
        case .completed: .completed
        }
    }

    package mutating func resume() -> Action {
        switch stage {
        case .created: move(to: .running, .start)
        case .held: move(to: .running, .proceed)
        case .running, .canceling, .completed: .nothing
        }
    }

    package mutating func suspend() -> Action {
        stage == .running ? move(to: .held, .hold) : .nothing
    }

    package mutating func cancel() -> Action {
        switch stage {
        case .created: move(to: .completed, .completeAsCancelled)
        case .running, .held: move(to: .canceling, .endTransfer)
        case .canceling, .completed: .nothing
        }
    }

    /// Notes the end; false where it was noted before.
    package mutating func complete() -> Bool {
        guard stage != .completed else { return false }
        stage = .completed
        return true
    }

    private mutating func move(to stage: Stage, _ action: Action) -> Action {
        self.stage = stage
        return action
    }
}
