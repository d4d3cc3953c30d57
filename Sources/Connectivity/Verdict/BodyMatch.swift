package import RE2

extension Expectation.Body {
    /// The most that is read of a body to be held against an expression or a JSON pointer.
    package static let mostExamined = 1 << 20

    /// Whether it takes so long to tell that it is not told on the loop of a monitor.
    package var isExamined: Bool {
        switch self {
        case .exact, .prefix: false
        case .expression, .json: true
        }
    }

    /// Why what was read of a body is not the expected one; nil where it is. Text is compared by its bytes.
    ///
    /// - Parameter expression: What the pattern was compiled to; nil to compile it.
    package func flaw(of reply: Reply, _ expression: RegularExpression? = nil) -> ConnectivityReason? {
        switch self {
        case .exact(let text):
            let isSame = !reply.isBodyCut && Self.trimmed(reply.body[...]) == Self.trimmed(Array(text.utf8)[...])
            return isSame ? nil : .unexpectedBody
        case .prefix(let text):
            return reply.body.starts(with: text.utf8) ? nil : .unexpectedBody
        case _ where isExamined && reply.isBodyCut:
            return .bodyUnexamined
        case .expression(let pattern):
            // It was compiled when the monitor started, so it is known to be good.
            guard let expression = expression ?? (try? RegularExpression(pattern)) else { return .bodyUnexamined }
            return Self.flaw(expression.outcome(in: reply.body))
        case .json(let match):
            return match.matches(reply.body) ? nil : .unexpectedBody
        }
    }

    private static func flaw(_ outcome: RegularExpression.Outcome) -> ConnectivityReason? {
        switch outcome {
        case .match: nil
        case .noMatch: .unexpectedBody
        case .tooCostly: .bodyUnexamined
        }
    }

    /// Checks that the expression, or the pointer, can be read.
    func validate(_ target: String) throws(TargetError) {
        switch self {
        case .exact, .prefix: return
        case .expression(let pattern): try Self.validate(pattern)
        case .json(let match): try match.validate(target)
        }
    }

    private static func validate(_ pattern: String) throws(TargetError) {
        do throws(ExpressionError) {
            _ = try RegularExpression(pattern)
        } catch {
            throw .expression(pattern, reason: error.description)
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let last = bytes.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { bytes.removeLast() }
        return bytes
    }
}
