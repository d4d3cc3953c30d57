internal import Connectivity
internal import EventLoop
internal import Glibc
internal import RE2
internal import RequestEngine
internal import Synchronization

/// Holds answers against what is expected of them, one after the other on a thread of its own: what a server sends is as long
/// and as hard to read as the server likes, and meanwhile the loops go on.
actor BodyExaminer {
    private nonisolated let loop: EventLoop
    /// What the targets' patterns were compiled to, so that each is compiled once.
    private(set) var expressions: [String: RegularExpression] = [:]
    /// Until when a pattern is not tried again that took long: it gets a hundredth of a processor, and others their turn.
    private var resting: [String: MonotonicTime] = [:]
    /// What counts as long, of this thread's own time.
    private static let long = Duration.milliseconds(500)

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init() throws(EventLoopError) {
        loop = try EventLoop(name: "netwatch-bodies")
        loop.schedule(after: .zero) { ThreadScheduling.goLast() }
    }

    /// Judges an answer. Nil where no probe waits for that any more.
    func verdict(of judge: ReplyJudge, on response: Response) -> ReplyVerdict? {
        guard !Task.isCancelled else { return nil }
        guard case .expression(let pattern)? = judge.expectation.body else { return judge.verdict(Reply(response)) }
        if let end = resting[pattern], end > .now { return .inconclusive(.bodyUnexamined) }
        var judge = judge
        judge.expression = expression(pattern)
        let start = Self.spent
        defer {
            let spent = Self.spent - start
            if spent > Self.long { resting[pattern] = MonotonicTime.now.advanced(by: spent * 100) }
        }
        return judge.verdict(Reply(response))
    }

    /// The processor time that this thread has had.
    private static var spent: Duration { .nanoseconds(MonotonicTime.clock(CLOCK_THREAD_CPUTIME_ID)) }

    /// What is wrong with all of these texts; nil where one of them is as expected, or no probe waits any more.
    func flaw(of texts: [String], by body: Expectation.Body) -> ConnectivityReason? {
        var expression: RegularExpression?
        if case .expression(let pattern) = body { expression = self.expression(pattern) }
        var flaw: ConnectivityReason?
        for text in texts where !Task.isCancelled {
            guard let found = body.flaw(of: Reply(statusCode: 200, body: Array(text.utf8)), expression) else {
                return nil
            }
            flaw = flaw ?? found
        }
        return flaw
    }

    private func expression(_ pattern: String) -> RegularExpression? {
        if let known = expressions[pattern] { return known }
        let new = try? RegularExpression(pattern)
        expressions[pattern] = new
        return new
    }
}

/// The examiner of all that one monitor probes. There is one once there is something to examine, and another for another
/// configuration, which knows its patterns only.
final class BodyExaminers: Sendable {
    private let present = Mutex<BodyExaminer?>(nil)

    func examiner() throws(EventLoopError) -> BodyExaminer {
        try present.withLock { (present) throws(EventLoopError) in
            if let present { return present }
            let new = try BodyExaminer()
            present = new
            return new
        }
    }

    func renew() {
        present.withLock { $0 = nil }
    }
}
