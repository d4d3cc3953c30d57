internal import Reachability
internal import Resolver

/// What systemd-networkd knows of one link: the lines `KEY=VALUE` of `/run/systemd/netif/links/INDEX`.
struct LinkState {
    static let folder = "/run/systemd/netif/links"

    private let lines: [Substring]

    /// The state of a link; nil where the manager does not manage it.
    init?(of index: UInt32, in folder: String = LinkState.folder) {
        guard let text = TextFile.read("\(folder)/\(index)") else { return nil }
        self.init(text)
    }

    init(_ text: String) {
        lines = text.split(separator: "\n")
    }

    /// `DNS=192.0.2.1 [2001:db8::1]:53#name`, of which port, zone and server name may be absent.
    var nameServers: [NameServer] {
        values("DNS").flatMap { $0.split(separator: " ") }
            .compactMap(Self.nameServer)
    }

    /// The zone stands before the bracket that closes, or behind the port. It is left out: the file is of one link.
    private static func nameServer(_ word: Substring) -> NameServer? {
        let place = word.prefix { $0 != "#" }
        let start = place.prefix { $0 != "%" }
        let rest = place.dropFirst(start.count).drop { $0 != "]" }
        return NameServer("\(start)\(rest)")
    }

    /// The address of the portal's API, from DHCP's options 114 and 103 and the routers' option 37 (systemd 254).
    var captivePortal: String? {
        values("CAPTIVE_PORTAL").last.map(String.init)
    }

    private func values(_ key: String) -> [Substring] {
        lines.filter { $0.hasPrefix(key + "=") }.map { $0.dropFirst(key.count + 1) }
    }
}
