internal import NetworkAddress

/// What a DHCP client has kept of a lease.
struct Lease: Hashable {
    let interface: String
    let address: IPAddress
    /// The address of the network's portal API (option 114, DHCPv6's 103), as the server gave it.
    let api: String?
}

extension Lease {
    /// The lease of dhcpcd's file `INTERFACE.lease`, or `INTERFACE-SSID.lease` of a Wi-Fi network: the server's message as
    /// it came. The interface is the whole of the name without its ending: more can be told with the list of interfaces only.
    static func ofDHCPCD(_ bytes: [UInt8], file name: String) -> Lease? {
        DHCPReply(bytes).map { reply in
            // Some servers end it with a zero (RFC 2132, section 2, tells clients to expect that).
            let api = reply[.captivePortal].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return Lease(interface: String(name.dropLast(".lease".count)), address: reply.address, api: api)
        }
    }

    /// The lease of dhcpcd's file `INTERFACE.lease6` or `INTERFACE-SSID.lease6`: DHCPv6's message as it came.
    static func ofDHCPCD6(_ bytes: [UInt8], file name: String) -> Lease? {
        DHCPv6Reply(bytes).map { reply in
            let api = reply.captivePortal.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return Lease(interface: String(name.dropLast(".lease6".count)), address: reply.address, api: api)
        }
    }

    /// The leases of dhclient's log (dhclient.leases(5)), the last one of each interface.
    ///
    /// A statement takes a line, and what a server sent is quoted within it, its quotes, line ends and all that is not
    /// printable escaped: no server can write a statement of its own.
    static func ofDHClient(_ log: [UInt8]) -> [Lease] {
        var leases: [String: Lease] = [:]
        var block: DHClientBlock?
        for bytes in log.split(separator: UInt8(ascii: "\n")) where DHClientBlock.knows(bytes) {
            let line = String(decoding: bytes, as: UTF8.self)
            switch line {
            case "lease {", "lease6 {": block = DHClientBlock()
            case "}":
                if let lease = block?.lease { leases[lease.interface] = lease }
                block = nil
            default: block?.take(line)
            }
        }
        return leases.values.sorted { $0.interface < $1.interface }
    }
}

/// The statements of one `lease { … }`.
private struct DHClientBlock {
    private var interface: String?
    private var address: IPAddress?
    private var api: String?

    /// What option 114, or DHCPv6's 103, is called: by dhclient itself, by one too old to know it, and by the common ways to declare it.
    private static let names: Set = [
        "default-url", "unknown-114", "captive-portal", "captive-portal-uri", "captive-portal-url", "v4-captive-portal",
        "dhcp6.v6-captive-portal", "dhcp6.unknown-103", "dhcp6.captive-portal",
    ]

    private static let beginnings =
        (["lease", "}", "interface ", "fixed-address ", "iaaddr "] + names.map { "option \($0) " }).map {
            Array($0.utf8)
        }

    /// Whether a line may be one that matters. The log is long, a server fills it, and most of it does not.
    static func knows(_ line: ArraySlice<UInt8>) -> Bool {
        let statement = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return beginnings.contains { statement.starts(with: $0) }
    }

    var lease: Lease? {
        guard let interface, let address else { return nil }
        return Lease(interface: interface, address: address, api: api)
    }

    mutating func take(_ line: String) {
        guard line.hasSuffix(";") else { return takeAddress(line) }
        let words = line.dropLast().split(separator: " ", maxSplits: 2)
        switch (words.first, words.count) {
        case ("interface", 2): interface = Self.unquoted(words[1])
        case ("fixed-address", 2): address = IPAddress(String(words[1]))
        case ("option", 3) where Self.names.contains(String(words[1])): api = Self.unquoted(words[2])
        default: break
        }
    }

    /// DHCPv6 leases addresses in blocks of their own: `iaaddr 2001:db8::10 {`. The first one stands for all.
    private mutating func takeAddress(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "iaaddr", words[2] == "{", address == nil else { return }
        address = IPAddress(String(words[1]))
    }

    /// A text in quotes, with `\"`, `\\` and octal `\ooo` in it; nil where it is none.
    private static func unquoted(_ text: Substring) -> String? {
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return nil }
        var rest = bytes.dropFirst().dropLast()
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
            if digits.count == 3, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                result.append(code)
                rest = rest.dropFirst(3)
            } else if let escaped = rest.popFirst() {
                result.append(escaped)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
