package import Glibc

/// The address of a socket in the file system, or of one with an abstract name (unix(7)).
package struct UnixAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// - Parameter path: A path; `@` in front stands for an abstract name.
    /// - Returns: Nil where it is too long for one.
    package init?(_ path: String) {
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // Of an abstract name every byte counts.
        let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        length = socklen_t(start + name.count)
    }

    /// The address as system calls take it.
    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
