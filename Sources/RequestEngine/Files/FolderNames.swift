internal import Glibc
internal import NetworkAddress
package import SystemPackage

/// The names in a folder, one after the other and in no order, `.` and `..` among them.
@safe
package struct FolderNames: ~Copyable {
    private let folder: OpaquePointer

    package init(_ path: String) throws(Errno) {
        guard let folder = unsafe opendir(path) else { throw Errno(rawValue: errno) }
        unsafe self.folder = folder
    }

    deinit {
        unsafe closedir(folder)
    }

    /// The next name; nil after the last one.
    package mutating func next() -> String? {
        guard let entry = unsafe readdir(folder) else { return nil }
        // Not `d_name` as a value: that is always 256 bytes, and the memory of the last entry ends with its name.
        let size = unsafe Int(entry.pointee.d_reclen) - Self.offset
        let name = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(entry) + Self.offset, count: size)
        return unsafe String(decodingToZero: name.assumingMemoryBound(to: UInt8.self).span)
    }

    private static let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
}
