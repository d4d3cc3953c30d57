/// `netwatch status` where a service runs, which knows the answer already.
package enum ServiceStatus {
    /// Asks the service, and writes what it says.
    ///
    /// - Parameter path: The service's Unix socket.
    /// - Returns: The exit status; nil where the service does not know the state yet.
    /// - Throws: ``ServiceAnswerError`` where no service answers.
    package static func tell(at path: String, isJSON: Bool) throws -> ExitStatus? {
        let type = isJSON ? "application/json" : "text/plain"
        let answer = try ServiceAnswer(to: "GET /status", as: type, at: path)
        guard answer.code == 200, let status = answer.exitStatus, status != .undecided else { return nil }
        let text = isJSON ? answer.body : DisplayText.safe(String(answer.body.prefix { !$0.isNewline })) + "\n"
        do throws(OutputError) { try StandardStreams.show(text) } catch {
            // The status is an answer too: `netwatch status | head -0`.
            guard case .closed = error else { throw error }
        }
        return status
    }
}
