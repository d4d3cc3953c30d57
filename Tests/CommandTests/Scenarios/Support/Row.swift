import Foundation

/// A row of the table of all situations, which is written where the environment says (`NETWATCH_SCENARIO_TABLE`).
struct Row: CustomStringConvertible {
    let title: String
    let cause: String
    let events: [Told.Event]
    let told: Told
    /// What has gone over the host's links since the cause, both ways.
    let bytes: Int?
    let seconds: Double?

    /// The file that rows go to; nil where none is wanted.
    static var table: String? { ProcessInfo.processInfo.environment["NETWATCH_SCENARIO_TABLE"] }

    var description: String {
        ([told.description] + events.map { "  \($0)" }).joined(separator: "\n")
    }

    func write(isGood: Bool) {
        guard let path = Self.table else { return }
        let words = Set(told.targets.values.compactMap(\.evidence)).sorted().prefix(2).joined(separator: "; ")
        let cells = [
            title, cause, told.connectivity, told.blame ?? "–", told.reason ?? "–", words.isEmpty ? "–" : words,
            "\(events.count)", seconds.map { String(format: "%.1f", $0) } ?? "–", bytes.map { "\($0)" } ?? "–",
            isGood ? "yes" : "NO",
        ]
        let line = Array("| \(cells.joined(separator: " | ")) |\n".utf8)
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        guard file >= 0 else { return }
        _ = line.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        close(file)
    }
}
