internal import Glibc
public import NetworkAddress

/// The names that this host knows by itself (hosts(5)), which no name server is asked for.
///
/// The file is read anew when it has changed, which costs one system call a look-up otherwise.
public struct HostsFile: Sendable {
    private let path: String
    private var stamp: Stamp?
    private var addresses: [String: [IPAddress]] = [:]

    /// More than this is not read: such files block advertising, and name nothing that is to be probed.
    private static let mostBytes = 4 << 20

    private struct Stamp: Equatable {
        let device: dev_t
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int
    }

    public init(path: String = "/etc/hosts") {
        self.path = path
    }

    /// The addresses of a name, compared without case, of both families or of one; nil where the file does not have it.
    public mutating func addresses(of name: String, family: AddressFamily? = nil) -> [IPAddress]? {
        readIfChanged()
        let found = addresses[Self.key(name)]?.filter { family == nil || $0.family == family }
        return found?.isEmpty == false ? found : nil
    }

    private mutating func readIfChanged() {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            (stamp, addresses) = (nil, [:])
            return
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let new = Stamp(
            device: status.st_dev, inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
        guard new != stamp else { return }
        stamp = new
        addresses = Self.parse(Self.content(descriptor))
    }

    private static func content(_ descriptor: CInt) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while content.count < mostBytes {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            content += buffer.prefix(count)
        }
        return content
    }

    /// An address and its names a line, with comments after `#`. What is no address is passed over.
    static func parse(_ content: [UInt8]) -> [String: [IPAddress]] {
        var addresses: [String: [IPAddress]] = [:]
        for line in content.split(separator: 0x0A) {
            let words = line.prefix { $0 != 0x23 }.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard words.count >= 2, let address = IPAddress(String(decoding: words[0], as: UTF8.self)) else { continue }
            for word in words.dropFirst() {
                addresses[key(String(decoding: word, as: UTF8.self)), default: []].append(address)
            }
        }
        return addresses
    }

    /// Names are compared without case, and without the dot of the root.
    private static func key(_ name: String) -> String {
        let small = name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return String(decoding: small.last == 0x2E ? small.dropLast() : small[...], as: UTF8.self)
    }
}
