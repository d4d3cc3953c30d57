internal import Glibc

/// What tells that a file or folder is still the one that was read: its inode, size and time of change.
struct FileStamp: Hashable {
    let path: String
    private let inode: UInt
    private let size: Int
    private let changed: Int64

    /// The present stamp of a path; one that cannot be looked at has a stamp too.
    init(_ path: String) {
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        self.path = path
        inode = exists ? UInt(status.st_ino) : 0
        size = exists ? Int(status.st_size) : 0
        changed = exists ? Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec) : 0
    }

    /// Whether nothing has changed since.
    var isCurrent: Bool { FileStamp(path) == self }
}
