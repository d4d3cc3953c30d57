import Glibc
import SystemPackage

/// A netlink socket of another program, which sends where only the kernel should.
final class ForeignSocket {
    private let descriptor: CInt
    let port: UInt32

    /// - Parameter port: The port to bind; the kernel chooses one where it is 0.
    init(port: UInt32 = 0) throws {
        descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        self.port = port
        let address = Self.address(port: port)
        let result = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(address.count)) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends to another socket's port, as root may.
    func send(_ message: [UInt8], toPort port: UInt32) throws {
        let target = Self.address(port: port)
        let sent = target.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                sendto(descriptor, message, message.count, 0, $0.baseAddress, socklen_t(target.count))
            }
        }
        guard sent == message.count else { throw Errno(rawValue: errno) }
    }

    /// `struct sockaddr_nl`: family, padding, port, groups.
    private static func address(port: UInt32) -> [UInt8] {
        let family = withUnsafeBytes(of: UInt16(AF_NETLINK)) { Array($0) }
        return family + [0, 0] + withUnsafeBytes(of: port) { Array($0) } + [0, 0, 0, 0]
    }
}

extension String {
    /// All of a small file.
    init(contentsOf path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readOnly)
        defer { try? descriptor.close() }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = try chunk.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
            bytes += chunk.prefix(count)
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
