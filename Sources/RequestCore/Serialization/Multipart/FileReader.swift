import Glibc
import SystemPackage

/// Reads a regular file; closes it when it is let go.
final class FileReader: BodyReader {
    private let path: FilePath
    private let descriptor: FileDescriptor

    /// Opens the file. `nonBlocking` keeps a FIFO from holding up the thread before it is refused.
    init(_ path: FilePath) throws(MultipartError) {
        self.path = path
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
        } catch {
            throw .file(path: path, call: "open", error as? Errno ?? .ioError)
        }
        _ = try Self.size(path) { fstat(descriptor.rawValue, $0) }
    }

    deinit {
        try? descriptor.close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try descriptor.read(into: buffer)
        } catch let errno as Errno {
            throw MultipartError.file(path: path, call: "read", errno)
        }
    }

    /// The size in bytes of a regular file.
    static func size(of path: FilePath) throws(MultipartError) -> Int64 {
        try size(path) { status in path.withPlatformString { stat($0, status) } }
    }

    private static func size(
        _ path: FilePath, _ examine: (UnsafeMutablePointer<stat>) -> Int32
    ) throws(MultipartError) -> Int64 {
        var status = stat()
        guard examine(&status) == 0 else { throw .file(path: path, call: "stat", Errno(rawValue: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return Int64(status.st_size)
    }
}
