/// What is broken, at the highest level that explains it.
package struct Finding: Hashable, Sendable {
    package enum Level: Hashable, Sendable {
        /// All of it: as a rule the reader's own way, or the broker.
        case fleet
        case target(String)
        /// A target at one site, while others reach it.
        case targetAtSite(String, site: String)
        case provider(String)
        case site(String)
        /// The hosts of a site that used a medium do not any more.
        case medium(String, site: String)
        case host(String, Condition)
    }

    package var level: Level
    /// How many hosts it concerns, of how many that it could, at how many sites.
    package var affected: Int
    package var total: Int
    package var sites: Int

    package init(_ level: Level, affected: Int, total: Int, sites: Int) {
        self.level = level
        self.affected = affected
        self.total = total
        self.sites = sites
    }
}

extension Finding: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        let part = "\(affected) of \(total) hosts"
        let place = sites == 1 ? "1 site" : "\(sites) sites"
        return switch level {
        case .fleet: "\(part) at \(place) are cut off or down: look at the broker and at this host's own way first"
        case .target(let name): "\(name) is down for \(part) at \(place)"
        case .targetAtSite(let name, let site): "site \(site): \(name) is down for \(part), and up elsewhere"
        case .provider(let name): "provider \(name): \(part) at \(place) are cut off or down"
        case .site(let name): "site \(name): \(part) are cut off or down"
        case .medium(let medium, let site): "site \(site): \(part) lost \(medium)"
        case .host(let name, let condition): "host \(name) is \(condition.words)"
        }
    }
}

extension Condition {
    package var words: String { self == .cutOff ? "cut off" : rawValue }
}

extension Finding.Level {
    /// The word of the level, for programs.
    package var word: String {
        switch self {
        case .fleet: "fleet"
        case .target: "target"
        case .targetAtSite: "target-at-site"
        case .provider: "provider"
        case .site: "site"
        case .medium: "medium"
        case .host: "host"
        }
    }
}
