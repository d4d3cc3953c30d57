/// A line of the table: the hosts of one site.
package struct SiteSummary: Hashable, Sendable {
    /// Empty for hosts without a site.
    package var site: String
    package var total = 0
    package var conditions: [Condition: Int] = [:]
    /// By what its hosts are connected.
    package var media: [HostMedium: Int] = [:]

    package init(site: String) {
        self.site = site
    }

    package func count(_ condition: Condition) -> Int { conditions[condition] ?? 0 }

    /// How many hosts have something wrong with them.
    package var affected: Int { Condition.allCases.filter(\.isAffected).reduce(0) { $0 + count($1) } }
}

extension FleetReducer {
    /// The hosts by site, those with the most trouble first.
    ///
    /// - Parameter now: Seconds since 1970.
    package func siteSummaries(at now: Double) -> [SiteSummary] {
        var summaries = sites.names.map { SiteSummary(site: $0) }
        for (record, condition) in zip(records, conditions(at: now)) {
            let site = Int(record.site)
            summaries[site].total += 1
            summaries[site].conditions[condition, default: 0] += 1
            if condition == .well || condition == .down { summaries[site].media[record.medium, default: 0] += 1 }
        }
        return summaries.filter { $0.total > 0 }.sorted { ($0.affected, $1.site) > ($1.affected, $0.site) }
    }
}
