import Foundation

/// What a reader of the events knows.
struct Told: CustomStringConvertible {
    /// A line, as far as the scenarios look at it.
    struct Line: Decodable {
        struct Target: Decodable {
            let target: String
            let status: String
            let reason: String?
            let blame: String?
            let evidence: String?
        }

        struct Cause: Decodable {
            let kind: String
            let description: String
        }

        let seq: UInt64
        let kind: String
        let time: String
        let connectivity: String
        let reason: String?
        let blame: String?
        let cause: Cause
        let targets: [Target]?
        let othersUp: Bool?
        let othersUnknown: Bool?

        init(_ text: String) throws {
            self = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        }
    }

    /// What is to be told: whatever is nil may be anything.
    struct Verdict: CustomStringConvertible, Equatable {
        var connectivity: String
        var blame: String?
        var reason: String?
        /// The targets that are down; all others are up, or not known where connectivity is less than limited.
        var down: Set<String>?
        /// What each of those that are not up rests on.
        var words: String?

        init(
            _ connectivity: String, blame: String? = nil, reason: String? = nil, down: Set<String>? = nil,
            words: String? = nil
        ) {
            (self.connectivity, self.blame, self.reason) = (connectivity, blame, reason)
            (self.down, self.words) = (down, words)
        }

        static let full = Verdict("full", down: [])

        func isMet(by told: Told) -> Bool {
            guard admits(told), down == nil || told.down == down else { return false }
            guard let words else { return true }
            // Of those that are down; where none is, of those that nothing is known of.
            let status = down?.isEmpty == false || !told.down.isEmpty ? "down" : "unknown"
            let others = told.targets.values.filter { $0.status == status }
            return !others.isEmpty && others.allSatisfy { $0.evidence?.contains(words) == true }
        }

        /// Whether it is nothing else that is told, if perhaps not yet all.
        func admits(_ told: Told) -> Bool {
            told.connectivity == connectivity && (connectivity == "full" || blame == nil || told.blame == blame)
                && (reason == nil || told.reason == reason) && (down.map { told.down.isSubset(of: $0) } ?? true)
        }

        var description: String {
            [connectivity, blame, reason, down?.sorted().joined(separator: ","), words].compactMap(\.self)
                .joined(separator: " / ")
        }
    }

    struct Event: CustomStringConvertible {
        let line: Line
        let after: Told

        /// When, by the wall clock.
        var seconds: Double {
            let parts = line.time.dropLast().split(separator: ".")
            let whole = try? Date(String(parts[0]) + "Z", strategy: .iso8601)
            return (whole?.timeIntervalSince1970 ?? 0) + (Double("0.\(parts.count > 1 ? parts[1] : "0")") ?? 0)
        }

        var description: String { "\(line.seq) \(line.kind) \(after) because \(line.cause.description)" }
    }

    private(set) var connectivity = "nothing"
    private(set) var blame: String?
    private(set) var reason: String?
    private(set) var targets: [String: Line.Target] = [:]

    var down: Set<String> { Set(targets.values.filter { $0.status == "down" }.map(\.target)) }
    var isWell: Bool { connectivity == "full" && down.isEmpty }
    var verdict: Verdict { Verdict(connectivity, blame: blame, reason: reason, down: down) }

    mutating func take(_ line: Line) {
        (connectivity, blame, reason) = (line.connectivity, line.blame, line.reason)
        if line.kind == "snapshot" { targets = [:] }
        for name in targets.keys where line.othersUp == true || line.othersUnknown == true {
            targets[name] = Line.Target(
                target: name, status: line.othersUp == true ? "up" : "unknown", reason: nil, blame: nil, evidence: nil)
        }
        for target in line.targets ?? [] { targets[target.target] = target }
    }

    var description: String {
        let others = targets.values.filter { $0.status != "up" }.sorted { $0.target < $1.target }.map { target in
            [target.target, target.status, target.reason ?? "", target.blame ?? "", target.evidence ?? ""]
                .joined(separator: " ")
        }
        return verdict.description + (others.isEmpty ? "" : " (" + others.joined(separator: "; ") + ")")
    }
}
