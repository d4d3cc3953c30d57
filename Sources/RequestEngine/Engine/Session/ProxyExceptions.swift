import NetworkAddress

/// The hosts that are asked past a proxy, found in ``Proxy/exceptions`` as libcurl (7.88) finds them, which gets them in one text
/// with commas between (lib/noproxy.c, Curl_check_noproxy).
///
/// A name stands for those below it, too, whatever its case, and with a dot at either end or without. An address of IPv4 may be a
/// block; one of IPv6 is compared as a name, since libcurl has cut its brackets off by then.
package struct ProxyExceptions {
    private let list: String

    package init(_ exceptions: [String]) {
        list = exceptions.joined(separator: ",")
    }

    /// - Parameter host: In ASCII, without the brackets of an IPv6 address.
    package func contain(_ host: String) -> Bool {
        guard list != "*" else { return true }
        let patterns = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        let address = IPAddress(host)
        if let address, address.family == .ipv4 { return patterns.contains { Self.covers($0, address) } }
        let name = (address?.description ?? host).lowercased()
        let ending = name.hasSuffix(".") ? name.dropLast() : name[...]
        return patterns.contains { Self.covers($0, ending) }
    }

    private static func covers(_ pattern: Substring, _ name: Substring) -> Bool {
        let ending = pattern.hasSuffix(".") ? pattern.dropLast() : pattern
        let domain = ending.hasPrefix(".") ? ending.dropFirst() : ending
        guard !domain.isEmpty else { return false }
        return name == domain || name.hasSuffix(".\(domain)")
    }

    private static func covers(_ pattern: Substring, _ address: IPAddress) -> Bool {
        let parts = pattern.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let block = IPAddress(String(first)), block.family == address.family else {
            return false
        }
        // A length of 0 is none to libcurl, and what is no number is 0.
        let length = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        guard length != 0 else { return block == address }
        return IPPrefix(block, length: length)?.contains(address) ?? false
    }
}
