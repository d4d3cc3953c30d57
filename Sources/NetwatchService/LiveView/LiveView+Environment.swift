import Glibc

extension LiveView {
    /// Whether there is a terminal that can show it: `TERM=dumb` and a pipe get plain lines.
    package static var isPossible: Bool {
        let kind = Environment.value("TERM")
        return StandardStreams.isOutputTerminal && kind != nil && kind != "dumb"
    }
}

/// Environment variables, read where they are needed.
enum Environment {
    static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    static func values(_ names: String...) -> [String: String] {
        names.reduce(into: [:]) { $0[$1] = value($1) }
    }
}
