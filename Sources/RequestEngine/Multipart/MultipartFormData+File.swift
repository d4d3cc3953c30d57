import Glibc
public import SystemPackage

extension MultipartFormData {
    /// Writes the whole body to a file, in the same way.
    @concurrent
    public func write(to path: String) async throws {
        try await write(to: FilePath(path))
    }

    /// Writes the whole body to a file, for servers that must have one, in pieces of 64 KiB and off the caller's
    /// thread. A file that is there is replaced; where writing fails or is cancelled there is none.
    @concurrent
    public func write(to path: FilePath) async throws {
        let file = try FileWriter(path)
        var body = try makeBody()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            try Task.checkCancellation()
            let count = try unsafe body.read(into: buffer)
            if count == 0 { break }
            try unsafe file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        try file.finish()
    }
}

/// Writes a file under another name beside it, and gives it its own name once it is whole.
private final class FileWriter {
    private let path: FilePath
    private let temporary: FilePath
    private let descriptor: FileDescriptor
    private var isFinished = false

    init(_ path: FilePath) throws(MultipartError) {
        self.path = path
        do throws(Errno) { try RegularFile.checkReplaceable(path) } catch {
            throw error == RegularFile.refusal ? .notAFile(path: path) : .file(path: path, call: "rename", error)
        }
        let name = path.lastComponent?.string ?? ""
        temporary = path.removingLastComponent().appending(
            TemporaryName.make("", name, ".\(UInt32.random(in: .min ... .max)).partial"))
        do {
            descriptor = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw .file(path: path, call: "open", error as? Errno ?? .ioError)
        }
    }

    deinit {
        try? descriptor.close()
        if !isFinished { _ = unsafe temporary.withPlatformString(unlink) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MultipartError) {
        do { _ = try unsafe descriptor.writeAll(bytes) } catch {
            throw .file(path: path, call: "write", error as? Errno ?? .ioError)
        }
    }

    func finish() throws(MultipartError) {
        let status = unsafe temporary.withPlatformString { from in
            unsafe path.withPlatformString { unsafe rename(from, $0) }
        }
        guard status == 0 else { throw .file(path: path, call: "rename", Errno(rawValue: errno)) }
        isFinished = true
    }
}
