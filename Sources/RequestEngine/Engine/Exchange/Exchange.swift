/// A request on its way through the interceptors, and where the answer's body is to go.
public struct Exchange: Sendable {
    public var request: Request
    public let task: TaskID
    /// Whether an answer is an intermediate one, such as a redirect that is followed: its body does not go to the caller that
    /// waits; the beginning of it stands in the `Response` that the interceptor gets. Called on the loop's thread.
    public var setsAside: @Sendable (ResponseHead) -> Bool = { _ in false }
    /// Who watches this task, the session's monitors included.
    public var monitors: [any EventMonitor] = []
    package let delivery: Delivery
    /// Nil for what goes into memory, where each answer has a place of its own.
    let claim: DeliveryClaim?
    /// Whose request it is; nil before it is on its way.
    package internal(set) var session: Session?
    /// By whose suspension its transfers are held still: the task's own, unless they are for others, too.
    package var holder: TaskID
    /// What those that led here, such as the legs of a redirect, have taken of ``Timeouts/total``.
    package internal(set) var timeSpent = Duration.zero

    package init(_ request: Request, task: TaskID, delivery: Delivery) {
        self.request = request
        self.task = task
        holder = task
        self.delivery = delivery
        claim = delivery.isMemory ? nil : DeliveryClaim()
    }

    /// Sets more answers aside than before.
    public mutating func setAside(_ isIntermediate: @escaping @Sendable (ResponseHead) -> Bool) {
        setsAside = { [setsAside] head in isIntermediate(head) || setsAside(head) }
    }

    /// Counts the time of an answer that was not the last as spent. Not the time between: a handler may have asked a person.
    package mutating func noteTime(of response: Response) {
        timeSpent = max(timeSpent, response.timeSpent)
    }
}
