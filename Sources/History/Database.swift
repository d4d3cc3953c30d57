import CSQLite
import Glibc

/// One connection to a file of SQLite, for one thread at a time.
@safe
final class Database {
    enum Access {
        case readAndWrite
        /// Changes nothing, not even what a crash has left.
        case read
        /// A file that nothing writes to, in a folder that this process may not write to either.
        case readUnchanging
    }

    /// How long to wait for another connection's lock.
    private static let patience: CInt = 5000

    let path: String
    private let handle: OpaquePointer

    init(_ path: String, _ access: Access) throws(DatabaseError) {
        self.path = path
        // To read a pipe that nothing writes would wait for ever.
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw DatabaseError(
                code: 0, message: "it is no file but a folder, a pipe, a device or a socket", path: path)
        }
        if access == .readAndWrite { Self.make(path) }
        var handle: OpaquePointer?
        let mode = access == .readAndWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let name = access == .readUnchanging ? "file:\(Self.encoded(path))?immutable=1" : path
        let flags = mode | SQLITE_OPEN_NOMUTEX | (access == .readUnchanging ? SQLITE_OPEN_URI : 0)
        let code = unsafe sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let message = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(handle)
            throw DatabaseError(code: code, message: message, path: path)
        }
        unsafe self.handle = handle
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Self.patience)
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that answer nothing.
    func run(_ sql: String) throws(DatabaseError) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement = unsafe statement
        else { throw error }
        return unsafe Statement(statement, of: self)
    }

    /// The first number of the first row; nil where there is no row, or nothing in it.
    func number(_ sql: String) throws(DatabaseError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.optionalNumber(0) : nil
    }

    /// All of it, or nothing.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try run("COMMIT")
        } catch {
            // Some failures have ended the transaction already.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Whether another file is at its path than the one that is open, or none.
    var hasMoved: Bool {
        var answer: CInt = 0
        return unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK && answer != 0
    }

    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    var error: DatabaseError {
        unsafe DatabaseError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), path: path)
    }

    /// Makes the file where it is not there, for its owner and its group: SQLite makes it for all that the umask lets. The files
    /// that it makes beside it are as this one.
    private static func make(_ path: String) {
        // Nothing may be closed that is there already, which would end the locks that this process has on it (fcntl(2)).
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o640)
        if descriptor >= 0 { close(descriptor) }
    }

    /// A path as it stands in a URI.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { result, byte in
            let isPlain =
                byte == UInt8(ascii: "/") || byte > 0x2F && byte < 0x3A || byte > 0x40 && byte < 0x5B
                || byte > 0x60 && byte < 0x7B || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
