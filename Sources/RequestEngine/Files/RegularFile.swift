internal import Glibc
package import SystemPackage

/// Opens files that a caller or a configuration names, which may be anything.
///
/// Opening a FIFO waits for its other end, and opening a device may do something: so what lies there is looked at before it
/// is opened, and again once it is open, since it may have changed in between. Without `O_NONBLOCK` that last moment would
/// be enough to stop the loop for good.
package enum RegularFile {
    /// What lies at the path is a FIFO, a device or a socket.
    package static let refusal = Errno.invalidArgument

    /// Opens a regular file.
    ///
    /// - Parameters:
    ///   - options: In addition to `O_CLOEXEC` and `O_NONBLOCK`, which a regular file has no use for.
    ///   - permissions: Of a file that is made.
    /// - Throws: ``refusal`` for what is no file, `EISDIR` for a folder, and whatever open(2) answers.
    package static func open(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly, options: FileDescriptor.OpenOptions = [],
        permissions: FilePermissions? = nil
    ) throws(Errno) -> FileDescriptor {
        try checkReplaceable(path)
        let file = try openAnything(path, mode, options: options, permissions: permissions)
        do throws(Errno) {
            try check(file)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    /// Checks that a file can be read.
    package static func check(_ path: FilePath) throws(Errno) {
        let file = try open(path)
        try? file.close()
    }

    /// Checks that a file may take the place of what lies at a path: of nothing, or of another file. To rename a file to the name
    /// of a device takes that device from the whole host.
    ///
    /// - Throws: ``refusal`` for what is no file, also where a link leads to it, and `EISDIR` for a folder.
    package static func checkReplaceable(_ path: FilePath) throws(Errno) {
        var status = stat()
        if unsafe path.withPlatformString({ unsafe stat($0, &status) }) == 0 { try check(status) }
    }

    /// Opens a file, or a pipe that was handed to this process, as of `gzip -dc FILE | netwatch replay /dev/stdin`: it has
    /// or had a writer, which a FIFO of the file system may never get. Reading from it waits.
    package static func openFileOrPipe(_ path: FilePath) throws(Errno) -> FileDescriptor {
        let file = try openAnything(path)
        do throws(Errno) {
            if !isAnonymousPipe(file) { try check(file) }
            guard fcntl(file.rawValue, F_SETFL, O_RDONLY) == 0 else { throw Errno(rawValue: errno) }
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    private static func isAnonymousPipe(_ file: FileDescriptor) -> Bool {
        var target = [CChar](repeating: 0, count: 16)
        return unsafe readlink("/proc/self/fd/\(file.rawValue)", &target, target.count) > 0
            && target.starts(with: "pipe:".utf8.map { CChar(bitPattern: $0) })
    }

    /// Opens whatever lies at the path without waiting for another process: a FIFO that none reads cannot be written to.
    package static func openAnything(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly, options: FileDescriptor.OpenOptions = [],
        permissions: FilePermissions? = nil
    ) throws(Errno) -> FileDescriptor {
        let options = options.union([.closeOnExec, .nonBlocking])
        do {
            return try .open(path, mode, options: options, permissions: permissions)
        } catch {
            throw refusal(of: error)
        }
    }

    /// Whether a file is as long as it is said to be. Those that the kernel makes as they are read are not: it says
    /// nought of the files of proc(5), and 4096 of those of sysfs(5), whatever is in them.
    static func isTrue(size: Int64, of file: FileDescriptor) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe pread(file.rawValue, &byte, 1, off_t(max(0, size - 1)))
        // What cannot be read is told as it is sent.
        return size > 0 ? count != 0 : count <= 0
    }

    /// The words for why a file could not be opened or read.
    package static func explain(_ errno: Errno) -> String {
        errno == refusal ? "it is no file but a pipe, a device or a socket" : errno.description
    }

    private static func check(_ file: FileDescriptor) throws(Errno) {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        try check(status)
    }

    private static func check(_ status: stat) throws(Errno) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .isDirectory
        default: throw refusal
        }
    }

    /// A socket, and a FIFO that no process reads, cannot be opened at all (open(2), ENXIO).
    private static func refusal(of error: any Error) -> Errno {
        switch error as? Errno {
        case .noSuchAddressOrDevice?: refusal
        case let errno?: errno
        case nil: .ioError
        }
    }
}
