internal import FoundationEssentials
internal import NetworkAddress
internal import Resolver

/// The name servers that a network manager knows for one link.
enum LinkNameServers {
    /// Those of systemd-networkd (`DNS=` in `/run/systemd/netif/links/INDEX`); none where it does not manage the link.
    static func ofManager(_ index: UInt32) -> [NameServer] {
        guard let text = try? String(contentsOfFile: "/run/systemd/netif/links/\(index)", encoding: .utf8) else {
            return []
        }
        return parse(text)
    }

    /// The file holds `DNS=192.0.2.1 [2001:db8::1]:53#name`, of which port, zone and server name may be absent.
    static func parse(_ text: String) -> [NameServer] {
        text.split(separator: "\n").filter { $0.hasPrefix("DNS=") }
            .flatMap { $0.dropFirst(4).split(separator: " ") }
            .compactMap { word in IPAddress(String(word.prefix { $0 != "#" && $0 != "%" })).map { NameServer($0) } }
    }
}
