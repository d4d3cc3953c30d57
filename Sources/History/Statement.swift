import CSQLite

/// A prepared statement of one connection.
@safe
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Runs it with these values in the places of its question marks, to its end.
    func run(_ values: Value...) throws(DatabaseError) {
        try bind(values)
        while try step() {}
    }

    /// Begins anew with these values in the places of its question marks.
    func bind(_ values: Value...) throws(DatabaseError) {
        try bind(values)
    }

    private func bind(_ values: [Value]) throws(DatabaseError) {
        unsafe sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            guard unsafe value.bind(to: handle, at: CInt(index) + 1) == SQLITE_OK else { throw database.error }
        }
    }

    /// Whether there is a further row.
    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            unsafe sqlite3_reset(handle)
            return false
        default:
            let error = database.error
            unsafe sqlite3_reset(handle)
            throw error
        }
    }

    func number(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func optionalNumber(_ column: CInt) -> Int64? {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : number(column)
    }

    func bytes(_ column: CInt) -> [UInt8] {
        // In this order: the pointer may move when the value is converted.
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func text(_ column: CInt) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// What is put in the place of a question mark.
enum Value: ExpressibleByIntegerLiteral {
    case number(Int64)
    case bytes([UInt8])

    init(integerLiteral value: Int64) {
        self = .number(value)
    }

    /// A text as its bytes: SQLite's own texts end at a NUL in many of its functions.
    static func text(_ text: String) -> Value { .bytes(Array(text.utf8)) }

    fileprivate func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        switch self {
        case .number(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes {
                unsafe netwatch_bind_blob(statement, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
