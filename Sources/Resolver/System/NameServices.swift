/// The line `hosts` of `nsswitch.conf(5)`: which services of this host know names.
package struct NameServices: Hashable, Sendable {
    private let services: [Substring]

    static let standard = NameServices("hosts: files dns")

    package init(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).last { $0.drop(while: \.isWhitespace).hasPrefix("hosts:") }
        let words = line?.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).dropFirst() ?? ["files", "dns"]
        // What is in brackets says what follows from an answer.
        var isAction = false
        var services: [Substring] = []
        for word in words {
            if word.hasPrefix("[") { isAction = true }
            if !isAction { services.append(word) }
            if word.hasSuffix("]") { isAction = false }
        }
        self.services = services
    }

    /// Whether systemd-resolved is asked.
    package var asksResolved: Bool { services.contains("resolve") }

    /// Whether a service that only the C library can ask may know a name that no name server does.
    package func mayKnow(_ name: String) -> Bool {
        services.contains { service in
            switch service {
            case "files", "dns", "resolve": false
            case _ where service.hasPrefix("mdns"): name.lowercased().hasSuffix(".local")
            case "myhostname", "mymachines": !name.contains(".")
            default: true
            }
        }
    }
}
