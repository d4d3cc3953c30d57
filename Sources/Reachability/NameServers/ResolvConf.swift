package import NetworkAddress

/// `resolv.conf(5)`, as far as it names servers.
package enum ResolvConf {
    /// More servers than the resolver itself reads (MAXNS, 3) come from systemd-resolved's list of all links.
    private static let limit = 16

    /// The servers a resolver configuration names, in its order, each once. What cannot be read is passed over, as the
    /// resolver does.
    package static func nameServers(_ text: String) -> [IPAddress] {
        var servers: [IPAddress] = []
        for line in text.split(whereSeparator: \.isNewline) where servers.count < limit {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0] == "nameserver", let server = address(words[1]) else { continue }
            if !servers.contains(server) { servers.append(server) }
        }
        return servers
    }

    /// An address with or without the zone that link-local ones need.
    private static func address(_ word: Substring) -> IPAddress? {
        IPAddress(String(word.prefix { $0 != "%" }))
    }
}
