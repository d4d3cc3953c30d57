import Glibc
import SystemPackage

/// A server on the test process's own loopback (127.0.0.1) that says whatever a test wants it to, byte by byte.
public final class SocketServer: Sendable {
    /// One connection: blocking, on a thread of its own, closed when the script returns.
    public struct Connection: Sendable {
        public let descriptor: CInt

        public init(descriptor: CInt) {
            self.descriptor = descriptor
        }

        /// Reads until the empty line after a request's header, or the end; returns what was read.
        @discardableResult
        public func readRequest() -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1 {
                bytes.append(byte)
                if bytes.suffix(4) == [13, 10, 13, 10] { break }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Sends everything; false once the peer is gone.
        @discardableResult
        public func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        public func send(_ text: String) -> Bool {
            send(Array(text.utf8))
        }

        /// Waits until the peer has closed its end.
        public func waitForEnd() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }

        /// How many bytes the peer has not acknowledged yet (SIOCOUTQ, tcp(7)).
        public var unsentBytes: Int {
            var count: CInt = 0
            return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
        }

        /// Makes the end of the connection a reset (RST) in place of a FIN.
        public func resetOnClose() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    public let port: Int
    private let listener: CInt

    /// Listens on a free port, and runs the script for every connection.
    public init(_ script: @escaping @Sendable (Connection) -> Void) throws {
        listener = try Self.listen()
        port = try Self.port(of: listener)
        try serve(script)
    }

    /// Listens at a path of the file system, and runs the script for every connection.
    public init(unixSocket path: String, _ script: @escaping @Sendable (Connection) -> Void) throws {
        listener = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = 0
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard listener >= 0, result == 0, Glibc.listen(listener, 128) == 0 else { throw Errno(rawValue: errno) }
        try serve(script)
    }

    private func serve(_ script: @escaping @Sendable (Connection) -> Void) throws {
        try Self.onThread { [listener] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                try? Self.onThread {
                    script(Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
    }

    static func listen() throws -> CInt {
        let descriptor = try socket()
        guard call(bind, descriptor, port: 0) == 0, Glibc.listen(descriptor, 128) == 0 else {
            defer { close(descriptor) }
            throw Errno(rawValue: errno)
        }
        return descriptor
    }

    /// Whether a server could listen there. One that has just ended does not count: servers listen with SO_REUSEADDR.
    static func isFree(_ port: Int) throws -> Bool {
        let descriptor = try socket()
        defer { close(descriptor) }
        var isOn: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
        return call(bind, descriptor, port: port) == 0 && Glibc.listen(descriptor, 1) == 0
    }

    /// Connects to a port of loopback. The descriptor is the caller's to close.
    public static func connect(to port: Int) throws -> CInt {
        let descriptor = try socket()
        guard call(Glibc.connect, descriptor, port: port) == 0 else {
            defer { close(descriptor) }
            throw Errno(rawValue: errno)
        }
        return descriptor
    }

    static func connects(to port: Int) throws -> Bool {
        let descriptor = try socket()
        defer { close(descriptor) }
        return call(Glibc.connect, descriptor, port: port) == 0
    }

    private static func socket() throws -> CInt {
        let descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        return descriptor
    }

    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt, port: Int
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    static func port(of descriptor: CInt) throws -> Int {
        var address = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &count) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private final class Job {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) throws {
        let job = Unmanaged.passRetained(Job(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            job.release()
            throw Errno(rawValue: result)
        }
        pthread_detach(thread)
    }
}
