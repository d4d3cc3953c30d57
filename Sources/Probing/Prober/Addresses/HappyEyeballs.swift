internal import Connectivity
internal import NetworkAddress

/// The race that clients run over the addresses of a name (RFC 8305), worked out from how each of them did alone.
enum HappyEyeballs {
    /// From one attempt to the next while the last has not failed (section 5), in nanoseconds.
    private static let attemptDelay: UInt64 = 250_000_000

    /// The families in turn, IPv6 first, each family's in the name servers' order (section 4).
    static func order(_ addresses: [IPAddress]) -> [IPAddress] {
        let first = addresses.filter { $0.family == .ipv6 }
        let second = addresses.filter { $0.family == .ipv4 }
        return (0..<max(first.count, second.count)).flatMap { index in
            [first, second].compactMap { index < $0.count ? $0[index] : nil }
        }
    }

    /// Marks the one whose connection would have stood first.
    static func race(_ results: [AddressResult]) -> [AddressResult] {
        var start: UInt64 = 0
        var best: (index: Int, time: UInt64)?
        for (index, result) in results.enumerated() {
            if let connect = result.connectNanoseconds, best.map({ start + connect < $0.time }) ?? true {
                best = (index, start + connect)
            }
            // An attempt that fails before the delay is over lets the next one begin.
            start += result.connectNanoseconds == nil ? min(result.durationNanoseconds, attemptDelay) : attemptDelay
        }
        var results = results
        if let best { results[best.index].isWinner = true }
        return results
    }
}
