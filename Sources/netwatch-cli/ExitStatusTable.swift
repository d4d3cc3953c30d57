import NetwatchService

/// The exit statuses as the help shows them.
enum ExitStatusTable {
    static var text: String {
        let lines = ExitStatus.allCases.map { status in
            "  \(status.rawValue < 10 ? " " : "")\(status.rawValue)  \(status.meaning)"
        }
        return (["EXIT STATUS:"] + lines).joined(separator: "\n")
    }
}
