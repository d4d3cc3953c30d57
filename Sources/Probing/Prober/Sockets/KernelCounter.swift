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

    /// A pair of lines, names and values.
    private static func extended(_ name: String) -> UInt64? {
        let lines = TextFile.read("/proc/thread-self/net/netstat")?.split(separator: "\n").filter {
            $0.hasPrefix("TcpExt:")
        }
        guard let lines, lines.count == 2 else { return nil }
        return zip(lines[0].split(separator: " "), lines[1].split(separator: " "))
            .first { $0.0 == name }.flatMap { UInt64($0.1) }
    }
}
