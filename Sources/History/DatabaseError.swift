import CSQLite

/// What SQLite says went wrong.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    let code: CInt
    let message: String
    let path: String

    /// What an examination of the file has found.
    static func corrupt(_ finding: String, path: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: finding, path: path)
    }

    /// The file is not any more where it was opened.
    static func moved(_ path: String) -> DatabaseError {
        DatabaseError(
            code: SQLITE_READONLY | (4 << 8), message: "it was removed or replaced while it was written to", path: path)
    }

    private var primary: CInt { code & 0xFF }

    /// Whether the file is not, or no longer, a database.
    var isCorruption: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// Whether nothing more can come of the file that is open, and another has to be begun.
    var isLoss: Bool { isCorruption || self == .moved(path) }

    /// Whether there is no room: on the disk, or within the limit.
    var isFull: Bool { primary == SQLITE_FULL }

    /// Whether the file is not there, or may not be opened.
    package var isAbsent: Bool { primary == SQLITE_CANTOPEN }

    package var description: String { "\(path): \(message)" }
}
