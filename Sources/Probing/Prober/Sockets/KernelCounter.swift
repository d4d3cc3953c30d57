internal import NetworkAddress
internal import Reachability

/// What the kernel counts in the network namespace of this thread (proc(5)); nil where it cannot be read.
enum KernelCounter {
    /// Packets that the loopback has carried.
    static var loopbackPackets: UInt64? {
        guard let text = TextFile.read("/proc/thread-self/net/dev"),
            let line = text.split(separator: "\n").first(where: { $0.drop { $0 == " " }.hasPrefix("lo:") }),
            let values = line.split(separator: ":").last?.split(separator: " "), values.count > 1
        else { return nil }
        return UInt64(values[1])
    }

    /// Segments whose second sending this host itself has prevented (`TCPRetransFail`).
    static var failedRetransmissions: UInt64? { extended("TCPRetransFail") }

    /// Packets that came to this host, and ended there without a reason that the kernel counts: a filter's rule has none.
    static func filteredArrivals(_ family: AddressFamily) -> Int64? {
        guard let counted = family == .ipv4 ? pair("Ip:", of: "snmp") : listed("Ip6", of: "snmp6"),
            let received = counted["InReceives"]
        else { return nil }
        let other = family == .ipv4 ? pair("TcpExt:", of: "netstat")?["IPReversePathFilter"] : nil
        return Self.endsOfArrivals.compactMap { counted[$0[...]] }.reduce(received &- (other ?? 0), &-)
    }

    /// What else becomes of a packet that came.
    private static let endsOfArrivals = [
        "InDelivers", "ForwDatagrams", "OutForwDatagrams", "InHdrErrors", "InAddrErrors", "InUnknownProtos",
        "InDiscards", "InTooBigErrors", "InNoRoutes", "InTruncatedPkts",
    ]

    private static func extended(_ name: String) -> UInt64? {
        pair("TcpExt:", of: "netstat")?[name[...]].map { UInt64(bitPattern: $0) }
    }

    /// A pair of lines, names and values.
    private static func pair(_ title: String, of file: String) -> [Substring: Int64]? {
        let lines = TextFile.read("/proc/thread-self/net/\(file)")?.split(separator: "\n").filter {
            $0.hasPrefix(title)
        }
        guard let lines, lines.count == 2 else { return nil }
        let entries = zip(lines[0].split(separator: " "), lines[1].split(separator: " ")).map { ($0, value($1)) }
        return Dictionary(entries, uniquingKeysWith: { first, _ in first }).compactMapValues { $0 }
    }

    /// A line for each, which begins with its family.
    private static func listed(_ prefix: String, of file: String) -> [Substring: Int64]? {
        let lines = TextFile.read("/proc/thread-self/net/\(file)")?.split(separator: "\n").filter {
            $0.hasPrefix(prefix)
        }
        let entries = lines?.map { $0.dropFirst(prefix.count).split { $0 == " " || $0 == "\t" } }.compactMap {
            $0.count == 2 ? ($0[0], value($0[1])) : nil
        }
        return entries.map { Dictionary($0, uniquingKeysWith: { first, _ in first }).compactMapValues { $0 } }
    }

    /// Most are of 64 bits and wrap there.
    private static func value(_ text: Substring) -> Int64? { UInt64(text).map { Int64(bitPattern: $0) } ?? Int64(text) }
}
