internal import EventLoop
internal import RequestCore
internal import Synchronization

/// Holds answers against what is expected of them, one after the other on a thread of its own: what a server sends is as long
/// and as hard to read as the server likes, and meanwhile the loops go on.
actor BodyExaminer {
    private nonisolated let loop: EventLoop
    /// What the targets' patterns were compiled to, so that each is compiled once.
    private var expressions: [String: Expression] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws(EventLoopError) {
        loop = try EventLoop(name: "netwatch-bodies")
        loop.schedule(after: .zero) { ThreadScheduling.goLast() }
    }

    /// Judges an answer. Nil where nobody waits for that any more.
    func verdict(of judge: ReplyJudge, on response: Response) -> ReplyVerdict? {
        guard !Task.isCancelled else { return nil }
        var judge = judge
        if case .expression(let pattern)? = judge.expectation.body { judge.expression = expression(pattern) }
        return judge.verdict(Reply(response))
    }

    /// What is wrong with all of these texts; nil where one of them is as expected, or nobody waits any more.
    func flaw(of texts: [String], by body: Expectation.Body) -> ConnectivityReason? {
        var expression: Expression?
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

    /// How many patterns were compiled.
    var expressionCount: Int { expressions.count }

    private func expression(_ pattern: String) -> Expression? {
        if let known = expressions[pattern] { return known }
        let new = try? Expression(pattern)
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
