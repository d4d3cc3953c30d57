internal import NetworkAddress

/// `resolv.conf(5)`: which servers programs of this host ask for names, and how they complete these.
package struct SystemResolver: Hashable, Sendable {
    /// At most three, as the C library reads them; this host itself where none is named.
    package private(set) var servers: [NameServer] = []
    /// The domains that names are looked for in.
    package private(set) var search: [String] = []
    /// A name with so many dots is looked for as it is first.
    package private(set) var dots = 1
    /// How long one server is waited for before the next is asked; nil where that is not said.
    package private(set) var patience: Duration?
    /// Whether servers are asked over TCP.
    package private(set) var isOverTCP = false
    /// Whether servers take turns in being the first.
    package private(set) var takesTurns = false

    private static let mostServers = 3
    private static let mostDomains = 16

    /// What holds without a file.
    static let standard = SystemResolver("")

    package init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" && $0 != ";" }.split(whereSeparator: \.isWhitespace)
            guard let keyword = words.first else { continue }
            take(keyword, words.dropFirst())
        }
        if servers.isEmpty, let own = IPAddress("127.0.0.1") { servers = [NameServer(own)] }
    }

    private mutating func take(_ keyword: Substring, _ words: ArraySlice<Substring>) {
        switch keyword {
        case "nameserver": if let word = words.first { add(server: word) }
        // Of both the last line counts.
        case "search": search = words.prefix(Self.mostDomains).map(Self.domain).filter { !$0.isEmpty }
        case "domain": search = words.prefix(1).map(Self.domain).filter { !$0.isEmpty }
        case "options": for word in words { take(option: word) }
        default: break
        }
    }

    private mutating func add(server word: Substring) {
        guard servers.count < Self.mostServers, let server = NameServer(host: word) else { return }
        servers.append(server)
    }

    private mutating func take(option: Substring) {
        let parts = option.split(separator: ":", maxSplits: 1)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("ndots", let number?): dots = min(max(number, 0), 15)
        case ("timeout", let number?): patience = .seconds(min(max(number, 1), 30))
        case ("use-vc", _): isOverTCP = true
        case ("rotate", _): takesTurns = true
        default: break
        }
    }

    private static func domain(_ word: Substring) -> String { String(word.last == "." ? word.dropLast() : word) }

    /// The names that a name may stand for, in the order in which they are asked for.
    package func candidates(_ name: String) -> [String] {
        guard name.last != ".", !search.isEmpty else { return [name] }
        let completed = search.map { "\(name).\($0)" }
        return name.count { $0 == "." } >= dots ? [name] + completed : completed + [name]
    }
}
