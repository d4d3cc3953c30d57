import Glibc

/// One message to a Unix socket of datagrams, as systemd's manager and its journal take them.
enum UnixDatagram {
    /// Sends a message, and waits for nothing.
    ///
    /// - Parameter path: An absolute path; `@` in front stands for an abstract name.
    /// - Returns: Whether it was taken.
    @discardableResult
    static func send(_ bytes: [UInt8], to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + name.count } ?? 0)
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
        return sent == bytes.count
    }
}
