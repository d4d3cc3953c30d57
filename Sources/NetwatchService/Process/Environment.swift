import Glibc

/// Environment variables, read where they are needed.
enum Environment {
    static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    static func values(_ names: String...) -> [String: String] {
        names.reduce(into: [:]) { $0[$1] = value($1) }
    }
}
