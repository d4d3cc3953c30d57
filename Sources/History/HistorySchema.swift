import Glibc

/// The tables of the file, and how it is opened.
enum HistorySchema {
    /// What it is now (`PRAGMA user_version`).
    static let version: Int64 = 1

    private static let pageSize: Int64 = 4096

    /// The mark without a name is the last event that was removed; it is there from the beginning, so that what makes room
    /// needs none.
    static let tables = """
        CREATE TABLE IF NOT EXISTS run(epoch INTEGER PRIMARY KEY);
        CREATE TABLE IF NOT EXISTS event(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL,
            snapshot INTEGER NOT NULL, told INTEGER NOT NULL, line BLOB NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS event_seq ON event(run, seq);
        CREATE INDEX IF NOT EXISTS event_told ON event(told);
        CREATE TABLE IF NOT EXISTS stretch(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
            kind INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS target(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS status(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, target INTEGER NOT NULL, stretch INTEGER NOT NULL,
            time INTEGER NOT NULL, status INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS status_target ON status(target);
        CREATE TABLE IF NOT EXISTS minute(
            minute INTEGER NOT NULL, target INTEGER NOT NULL, probes INTEGER NOT NULL, failures INTEGER NOT NULL,
            duration INTEGER NOT NULL, longest INTEGER NOT NULL, resolve INTEGER NOT NULL, connect INTEGER NOT NULL,
            tls INTEGER NOT NULL, processing INTEGER NOT NULL, transfer INTEGER NOT NULL,
            PRIMARY KEY(minute, target)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS mark(
            name BLOB PRIMARY KEY, run INTEGER NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID;
        INSERT OR IGNORE INTO mark VALUES(X'', 0, 0);
        """

    /// Opens a file to be written to, and makes it where it is not there.
    ///
    /// - Parameter limit: How large it may become, in bytes.
    static func open(_ path: String, limit: Int64) throws(DatabaseError) -> Database {
        let database = try Database(path, .readAndWrite)
        // Not for a file that is there already, which keeps what it was made with.
        try database.run("PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL")
        try database.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -256; PRAGMA mmap_size = 0;
            PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576;
            PRAGMA max_page_count = \(max(limit / pageSize, 64));
            """)
        let found = try database.number("PRAGMA user_version") ?? 0
        guard found <= version else {
            throw DatabaseError(
                code: 0, message: "it is of a later version of netwatch (\(found)); set it aside to begin anew",
                path: path)
        }
        try database.transaction { () throws(DatabaseError) in
            try database.run(tables)
            try database.run("PRAGMA user_version = \(version)")
        }
        return database
    }

    /// Opens a file to be read, also while another process writes to it.
    static func openToRead(_ path: String) throws(DatabaseError) -> Database {
        do throws(DatabaseError) {
            let database = try Database(path, .read)
            try check(database)
            return database
        } catch {
            // For want of a descriptor the log cannot be opened either: without it the file is old, or not whole.
            guard error.isAbsent, liesStill(path) else { throw error }
            // In a folder where this process may not write, beside a service that has ended in order.
            let database = try Database(path, .readUnchanging)
            try check(database)
            return database
        }
    }

    /// Whether this process can make nothing beside the file, and no log of a service that writes to it is there.
    static func liesStill(_ path: String) -> Bool {
        // Where the path is a link, SQLite has its log where that leads to.
        let target = unsafe realpath(path, nil)
        defer { unsafe free(target) }
        let file = unsafe target.map { unsafe String(cString: $0) } ?? path
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        return unsafe access(folder, W_OK) != 0 && access(file + "-wal", F_OK) != 0
    }

    private static func check(_ database: Database) throws(DatabaseError) {
        guard try database.number("PRAGMA user_version") == version else {
            throw DatabaseError(
                code: 0, message: "it is not a history of this version of netwatch", path: database.path)
        }
    }
}
