import FoundationEssentials
import Glibc
import SystemPackage

/// Reads a regular file; closes it when it is let go.
final class FileReader: BodyReader {
    private let path: FilePath
    private let descriptor: FileDescriptor

    init(_ path: FilePath) throws(MultipartError) {
        self.path = path
        do throws(Errno) {
            descriptor = try RegularFile.open(path)
        } catch {
            throw error == RegularFile.refusal ? .notAFile(path: path) : .file(path: path, call: "open", error)
        }
    }

    deinit {
        try? descriptor.close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try unsafe descriptor.read(into: buffer)
        } catch let errno as Errno {
            throw MultipartError.file(path: path, call: "read", errno)
        }
    }

    /// A file's content: to be read later where its length is known, and else now.
    static func content(of path: FilePath) throws(MultipartError) -> MultipartFormData.Content {
        let size = try size(of: path)
        return size > 0 && isTrue(size: size, of: path) ? .file(path, size: size) : .data(Data(try readNow(path)))
    }

    /// Whether a file is as long as it is said to be. One that cannot be opened is an error only once it is sent.
    private static func isTrue(size: Int64, of path: FilePath) -> Bool {
        guard let file = try? RegularFile.open(path) else { return true }
        defer { try? file.close() }
        return RegularFile.isTrue(size: size, of: file)
    }

    /// The content of a file that is empty, or not as long as it is said to be: the kernel makes some as they are read.
    private static func readNow(_ path: FilePath) throws(MultipartError) -> [UInt8] {
        do throws(SecurityError) {
            return try FileContents.read(path.string, limit: 16 << 20)
        } catch {
            throw .file(path: path, call: "read", error.readErrno)
        }
    }

    /// The size in bytes of a regular file.
    private static func size(of path: FilePath) throws(MultipartError) -> Int64 {
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe stat($0, &status) }) == 0 else {
            throw .file(path: path, call: "stat", Errno(rawValue: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return Int64(status.st_size)
    }
}
