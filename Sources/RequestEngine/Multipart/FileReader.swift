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
        return size > 0 ? .file(path, size: size) : .data(Data(try readNow(path)))
    }

    /// The content of a file that is told to be empty, which it is not where the kernel makes it as it is read.
    private static func readNow(_ path: FilePath) throws(MultipartError) -> [UInt8] {
        do throws(SecurityError) {
            return try FileContents.read(path.string, limit: 16 << 20)
        } catch {
            guard case .unreadable(_, let errno) = error else { throw .file(path: path, call: "read", .fileTooLarge) }
            throw .file(path: path, call: "read", errno)
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
