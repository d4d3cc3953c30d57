import SystemPackage

/// `netwatch reload`: has the service read its configuration anew, and tells what came of it.
package struct ReloadProgram: Sendable {
    private let path: String

    /// - Parameter path: The service's Unix socket.
    package init(path: String) {
        self.path = path
    }

    /// - Throws: ``ServiceAnswerError`` where no service answers.
    package func run() throws -> ExitStatus {
        let answer = try ServiceAnswer(to: "POST /reload", at: path)
        let lines = answer.body.split(separator: "\n").map { DisplayText.safe(String($0)) }
        guard answer.code == 200 else {
            lines.forEach(StandardStreams.tell)
            return answer.code == 422 ? .misconfigured : .unavailable
        }
        try StandardStreams.show(lines.map { $0 + "\n" }.joined())
        return .success
    }
}
