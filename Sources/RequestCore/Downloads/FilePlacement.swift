import CLinux
import Glibc
package import RequestEngine
package import SystemPackage

/// The last step of a download: its file gets the name it was fetched for, whole or not at all, also should the power fail.
///
/// The content has to be on the disk before the name is, or the name could be all that is left (rename(2), fsync(2)).
package struct FilePlacement: Sendable {
    /// The system calls that not every file system knows. Each gives nil where it has done what it was asked for.
    package struct Calls: Sendable {
        /// Waits until what was written is on the disk.
        package var sync: @Sendable (FileDescriptor) -> Errno? = { descriptor in
            fsync(descriptor.rawValue) == 0 ? nil : Errno(rawValue: errno)
        }
        /// Gives a file a name that nothing has yet, in place of its own.
        package var renameExclusively: @Sendable (FilePath, FilePath) -> Errno? = { from, to in
            unsafe call(from, to) { unsafe renameat2(AT_FDCWD, $0, AT_FDCWD, $1, UInt32(RENAME_NOREPLACE)) }
        }
        /// Gives a file one more name, which nothing has yet.
        package var link: @Sendable (FilePath, FilePath) -> Errno? = { from, to in
            unsafe call(from, to) { unsafe Glibc.link($0, $1) }
        }

        package init() {}

        private static func call(
            _ from: FilePath, _ to: FilePath,
            _ body: (UnsafePointer<CInterop.PlatformChar>, UnsafePointer<CInterop.PlatformChar>) -> CInt
        ) -> Errno? {
            let result = unsafe from.withPlatformString { from in
                unsafe to.withPlatformString { unsafe body(from, $0) }
            }
            return result == 0 ? nil : Errno(rawValue: errno)
        }
    }

    private let descriptor: FileDescriptor
    private let path: FilePath
    private let destination: FilePath
    private let replacesFile: Bool
    private let calls: Calls

    /// - Parameter descriptor: The file, which is closed here.
    package init(
        _ descriptor: FileDescriptor, at path: FilePath, to destination: FilePath, replacesFile: Bool,
        calls: Calls = Calls()
    ) {
        self.descriptor = descriptor
        self.path = path
        self.destination = destination
        self.replacesFile = replacesFile
        self.calls = calls
    }

    /// Waits for the disk.
    package func carryOut() throws(RequestError) {
        let failure = sync(descriptor)
        do { try descriptor.close() } catch {
            // Where a file system writes over a network, this may be how it tells that it could not.
            throw unwritable(path, "close", error as? Errno ?? .ioError)
        }
        if let failure { throw unwritable(path, "fsync", failure) }
        if replacesFile { try rename() } else { try place() }
        try syncFolder()
    }

    // MARK: The name

    private func rename() throws(RequestError) {
        do throws(Errno) { try RegularFile.checkReplaceable(destination) } catch {
            throw unwritable(destination, "rename", error)
        }
        let result = unsafe path.withPlatformString { from in
            unsafe destination.withPlatformString { unsafe Glibc.rename(from, $0) }
        }
        guard result == 0 else { throw unwritable(destination, "rename", Errno(rawValue: errno)) }
    }

    /// Takes the name only where nothing has it. NFS, FUSE and others cannot rename so (renameat2(2)), and some of them have
    /// no second names either.
    private func place() throws(RequestError) {
        switch calls.renameExclusively(path, destination) {
        case nil: return
        case let errno? where Self.isUnsupported(errno): try placeByLink()
        case let errno?: throw unwritable(destination, "rename", errno)
        }
    }

    private func placeByLink() throws(RequestError) {
        switch calls.link(path, destination) {
        case nil: break
        // The answer of a server of NFS may be lost, and what was done already is then asked for again.
        case .fileExists? where isPlaced: break
        case .fileExists?: throw unwritable(destination, "rename", .fileExists)
        case .some: return try placeByReservation()
        }
        _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }

    /// Takes the name with an empty file, which is then replaced by the whole one: no other process can take it then.
    private func placeByReservation() throws(RequestError) {
        do {
            try FileDescriptor.open(
                destination, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            ).close()
        } catch {
            throw unwritable(destination, "rename", error as? Errno ?? .ioError)
        }
        do throws(RequestError) { try rename() } catch {
            _ = unsafe destination.withPlatformString { unsafe unlink($0) }
            throw error
        }
    }

    /// Whether both names are the same file's.
    private var isPlaced: Bool {
        var (one, other) = (stat(), stat())
        return unsafe path.withPlatformString { unsafe lstat($0, &one) } == 0
            && destination.withPlatformString { unsafe lstat($0, &other) } == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    // MARK: The disk

    /// The name is in the folder, which is written on its own. One that may not be read cannot be waited for.
    private func syncFolder() throws(RequestError) {
        let folder = destination.removingLastComponent()
        let path = folder.isEmpty ? "." : folder
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec]) else {
            return
        }
        defer { try? descriptor.close() }
        if let failure = sync(descriptor) { throw unwritable(path, "fsync", failure) }
    }

    /// Nil also where the file system has no disk to wait for.
    private func sync(_ descriptor: FileDescriptor) -> Errno? {
        guard let cause = calls.sync(descriptor) else { return nil }
        if cause == .interrupted { return sync(descriptor) }
        return Self.isUnsupported(cause) || cause == .readOnlyFileSystem ? nil : cause
    }

    private static func isUnsupported(_ errno: Errno) -> Bool {
        [.invalidArgument, .noFunction, .notSupported, .notSupportedOnSocket].contains(errno)
    }

    private func unwritable(_ path: FilePath, _ call: String, _ errno: Errno) -> RequestError {
        RequestError(.fileUnwritable(path: "\(path)", call: call, errno))
    }
}
