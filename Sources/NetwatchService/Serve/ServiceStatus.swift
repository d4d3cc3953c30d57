import SystemPackage

/// `netwatch status` where a service runs, which knows the answer already.
package enum ServiceStatus {
    /// Asks the service, and writes what it says.
    ///
    /// - Parameters:
    ///   - path: The service's Unix socket.
    ///   - isOnly: Whether no other service is asked where it does not know the state yet: it may be another host's.
    /// - Returns: The exit status; nil where another service is to be asked.
    /// - Throws: ``ServiceAnswerError`` where no service answers.
    package static func tell(at path: String, isJSON: Bool, isOnly: Bool) throws -> ExitStatus? {
        let type = isJSON ? "application/json" : "text/plain"
        let answer = try ServiceAnswer(to: "GET /status", as: type, at: path)
        guard answer.code == 200 else { return isOnly ? tellRefusal(answer) : nil }
        guard let status = answer.exitStatus else {
            guard isOnly else { return nil }
            throw ServiceAnswerError(path: path, cause: .protocolError)
        }
        guard isOnly || status != .undecided else { return nil }
        let text = isJSON ? answer.body : DisplayText.safe(String(answer.body.prefix { !$0.isNewline })) + "\n"
        do throws(OutputError) { try StandardStreams.show(text) } catch {
            // The status is an answer too: `netwatch status | head -0`.
            guard case .closed = error else { throw error }
        }
        return status
    }

    private static func tellRefusal(_ answer: ServiceAnswer) -> ExitStatus {
        let line = answer.body.split(whereSeparator: \.isNewline).joined(separator: " ")
        StandardStreams.tell(line.isEmpty ? "the service refuses: \(answer.code)" : line)
        return .unavailable
    }
}
