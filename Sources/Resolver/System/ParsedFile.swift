internal import Glibc

/// What stands in a file, read anew when the file has changed, which costs two system calls a look otherwise.
struct ParsedFile<Value: Sendable>: Sendable {
    private let path: String
    private let absent: Value
    private let mostBytes: Int
    private let parse: @Sendable ([UInt8]) -> Value
    private var stamp: Stamp?
    private var value: Value

    private struct Stamp: Equatable {
        let device: dev_t
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int
    }

    /// - Parameters:
    ///   - absent: What holds where there is no such file.
    ///   - mostBytes: More than this is not read.
    init(
        _ path: String, absent: Value, mostBytes: Int = 64 << 10, parse: @escaping @Sendable ([UInt8]) -> Value
    ) {
        self.path = path
        self.absent = absent
        self.mostBytes = mostBytes
        self.parse = parse
        value = absent
    }

    /// What stands in it now.
    mutating func read() -> Value {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = errno
            // That this host has no descriptor or memory left says nothing of the file.
            guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(failure) else { return value }
            (stamp, value) = (nil, absent)
            return value
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return value }
        let new = Stamp(
            device: status.st_dev, inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
        guard new != stamp else { return value }
        stamp = new
        value = parse(content(descriptor))
        return value
    }

    private func content(_ descriptor: CInt) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(64 << 10, mostBytes))
        while content.count < mostBytes {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            content += buffer.prefix(count)
        }
        return content
    }
}
