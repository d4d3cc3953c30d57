extension Expectation.Body {
    /// Whether what was read of a body is the expected one. Text is compared by its bytes.
    func matches(_ reply: Reply) -> Bool {
        switch self {
        case .exact(let text):
            !reply.isBodyCut && Self.trimmed(reply.body[...]) == Self.trimmed(Array(text.utf8)[...])
        case .prefix(let text):
            reply.body.starts(with: text.utf8)
        case .expression(let pattern):
            // The pattern was read once when the monitor started, so it is known to be good.
            (try? Regex(pattern).firstMatch(in: String(decoding: reply.body, as: UTF8.self))) != nil
        case .json(let match):
            !reply.isBodyCut && match.matches(reply.body)
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
        do {
            _ = try Regex(pattern)
        } catch {
            throw .expression(pattern, reason: "\(error)")
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let last = bytes.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { bytes.removeLast() }
        return bytes
    }
}
