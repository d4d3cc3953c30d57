internal import Connectivity
internal import EventLoop
internal import RequestEngine

/// What takes long to be judged is judged on the examiner's thread, and only as long as the probe waits for it.
extension BodyExaminers {
    /// So much of a body is looked at in no time, where no more is asked of it than to be a certain text.
    private static let shortBody = 64 << 10

    /// Judges an answer; nil where the probe was cancelled meanwhile.
    func verdict(
        of judge: ReplyJudge, on response: Response, until deadline: MonotonicTime, _ loop: EventLoop
    ) async -> ReplyVerdict? {
        let isExamined = judge.expectation.body?.isExamined ?? false
        guard isExamined || response.body.count > Self.shortBody else { return judge.verdict(Reply(response)) }
        let verdict = await examination(until: deadline, loop) { (examiner) -> Examination<ReplyVerdict> in
            guard let verdict = await examiner.verdict(of: judge, on: response) else { return .cancelled }
            return .done(verdict)
        }
        return switch verdict {
        case .done(let verdict): verdict
        case .late: .inconclusive(.bodyUnexamined)
        case .noThread: .inconclusive(.overloaded)
        case .cancelled: nil
        }
    }

    /// What is wrong with all of these texts; nil where one of them is as expected.
    func flaw(
        of texts: [String], by body: Expectation.Body, until deadline: MonotonicTime, _ loop: EventLoop
    ) async -> ConnectivityReason? {
        guard body.isExamined else { return Self.flaw(of: texts, by: body) }
        let flaw = await examination(until: deadline, loop) { (examiner) -> Examination<ConnectivityReason?> in
            .done(await examiner.flaw(of: texts, by: body))
        }
        return switch flaw {
        case .done(let flaw): flaw
        case .late: .bodyUnexamined
        case .noThread: .overloaded
        // Then the probe waits no longer.
        case .cancelled: nil
        }
    }

    private static func flaw(of texts: [String], by body: Expectation.Body) -> ConnectivityReason? {
        let flaws = texts.map { body.flaw(of: Reply(statusCode: 200, body: Array($0.utf8))) }
        return flaws.contains(nil) ? nil : .unexpectedBody
    }

    private func examination<Value: Sendable>(
        until deadline: MonotonicTime, _ loop: EventLoop,
        _ examine: @escaping @Sendable (BodyExaminer) async -> Examination<Value>
    ) async -> Examination<Value> {
        let examiner: BodyExaminer
        do throws(EventLoopError) { examiner = try self.examiner() } catch { return .noThread }
        var work: Task<Void, Never>?
        let outcome = await FirstOutcome<Examination<Value>>(loop: loop).value(ifCancelled: .cancelled) { wait in
            // A moment more for what has come in the last one.
            wait.finish(.late, at: max(deadline, MonotonicTime.now.advanced(by: .seconds(1))))
            work = Task(executorPreference: loop) { wait.finish(await examine(examiner)) }
        }
        // What waits for its turn on the thread is then passed over.
        work?.cancel()
        return outcome
    }
}

/// How an examination can end.
private enum Examination<Value: Sendable>: Sendable {
    case done(Value)
    /// It was not done in time.
    case late
    /// No thread can be started for it.
    case noThread
    case cancelled
}
