internal import Connectivity

/// A condition that is waited for, and what to call, once, when it holds.
struct Waiter: Sendable {
    let condition: WaitCondition
    let resume: @Sendable (Event?) -> Void
}
