public import NetworkAddress

/// The names that this host knows by itself (hosts(5)), which no name server is asked for.
///
/// The file is read anew when it has changed.
public struct HostsFile: Sendable {
    private var file: ParsedFile<[String: [IPAddress]]>
    /// The text itself, which is only read to tell people where a name is from.
    private var content: ParsedFile<[UInt8]>

    /// More than this is not read: such files block advertising, and name nothing that is to be probed.
    private static let mostBytes = 4 << 20

    public init(path: String = "/etc/hosts") {
        file = ParsedFile(path, absent: [:], mostBytes: Self.mostBytes) { Self.parse($0) }
        content = ParsedFile(path, absent: [], mostBytes: Self.mostBytes) { $0 }
    }

    /// The addresses of a name, compared without case, of both families or of one; nil where the file does not have it.
    public mutating func addresses(of name: String, family: AddressFamily? = nil) -> [IPAddress]? {
        let found = file.read()[Self.key(name)]?.filter { family == nil || $0.family == family }
        return found?.isEmpty == false ? found : nil
    }

    /// The line, counted from 1, that gives a name this address first; nil where none does.
    public mutating func line(of name: String, _ address: IPAddress) -> Int? {
        let key = Self.key(name)
        return content.read().split(separator: 0x0A, omittingEmptySubsequences: false)
            .firstIndex { Self.parse(Array($0))[key]?.contains(address) == true }.map { $0 + 1 }
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
