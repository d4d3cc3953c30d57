extension FleetReducer {
    /// How many hosts of a group are affected.
    private struct Tally {
        var affected = 0
        var total = 0
        var sites: Set<UInt32> = []

        mutating func count(_ isAffected: Bool, site: UInt32) {
            total += 1
            guard isAffected else { return }
            affected += 1
            sites.insert(site)
        }

        /// Whether the group is to blame, and not each of its hosts by itself.
        func isBroken(share: Double) -> Bool { affected >= 2 && Double(affected) >= share * Double(total) }
    }

    /// What is broken, the widest first. What is explained by a wider finding is not told again.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - most: How many hosts alone are named.
    package func findings(at now: Double, hostsAlone most: Int = 100) -> [Finding] {
        let conditions = conditions(at: now)
        var findings = whole(conditions)
        let isWhole = !findings.isEmpty
        let (providers, brokenProviders) = isWhole ? ([], []) : brokenProviders(conditions)
        let (sites, brokenSites) = isWhole ? ([], []) : brokenSites(conditions, besides: brokenProviders)
        findings += providers + sites
        findings += brokenTargets(conditions)
        findings += lostMedia(conditions, besides: brokenSites)
        guard !isWhole else { return findings }
        return findings + hostsAlone(conditions, brokenProviders, brokenSites, most)
    }

    func conditions(at now: Double) -> [Condition] {
        let stale = settings.heartbeat * settings.staleHeartbeats
        return records.map { $0.condition(at: now, since: resumed, stale: stale) }
    }

    private func whole(_ conditions: [Condition]) -> [Finding] {
        var all = Tally()
        for (record, condition) in zip(records, conditions) where condition != .stopped {
            all.count(condition.isAffected, site: record.site)
        }
        guard all.sites.count >= 2, all.affected >= 4, all.isBroken(share: settings.share) else { return [] }
        return [Finding(.fleet, affected: all.affected, total: all.total, sites: all.sites.count)]
    }

    private func brokenProviders(_ conditions: [Condition]) -> ([Finding], Set<UInt32>) {
        var tallies: [UInt32: Tally] = [:]
        for (record, condition) in zip(records, conditions)
        where condition != .stopped && !providers[record.provider].isEmpty {
            tallies[record.provider, default: Tally()].count(condition.isAffected, site: record.site)
        }
        let broken = tallies.filter { $0.value.sites.count >= 2 && $0.value.isBroken(share: settings.share) }
        let findings = broken.map {
            Finding(
                .provider(providers[$0.key]), affected: $0.value.affected, total: $0.value.total,
                sites: $0.value.sites.count)
        }
        return (findings.sorted { ($0.affected, "\($1)") > ($1.affected, "\($0)") }, Set(broken.keys))
    }

    private func brokenSites(_ conditions: [Condition], besides explained: Set<UInt32>) -> ([Finding], Set<UInt32>) {
        var tallies: [UInt32: Tally] = [:]
        for (record, condition) in zip(records, conditions)
        where condition != .stopped && !sites[record.site].isEmpty && !explained.contains(record.provider) {
            tallies[record.site, default: Tally()].count(condition.isAffected, site: record.site)
        }
        let broken = tallies.filter { $0.value.isBroken(share: settings.share) }
        let findings = broken.map {
            Finding(.site(sites[$0.key]), affected: $0.value.affected, total: $0.value.total, sites: 1)
        }
        return (findings.sorted { ($0.affected, "\($1)") > ($1.affected, "\($0)") }, Set(broken.keys))
    }

    /// Only hosts whose own way is whole know anything of a target.
    private func brokenTargets(_ conditions: [Condition]) -> [Finding] {
        var tallies: [UInt32: [UInt32: Tally]] = [:]
        for (record, condition) in zip(records, conditions) where condition == .well {
            for entry in record.targets {
                guard let status = TargetStatus(rawValue: entry & 3), status != .unknown else { continue }
                tallies[entry >> 2, default: [:]][record.site, default: Tally()]
                    .count(status == .down, site: record.site)
            }
        }
        return tallies.sorted { $0.key < $1.key }.flatMap { findings(of: $0.key, $0.value) }
    }

    private func findings(of target: UInt32, _ bySite: [UInt32: Tally]) -> [Finding] {
        let affected = bySite.values.reduce(0) { $0 + $1.affected }
        let total = bySite.values.reduce(0) { $0 + $1.total }
        let down = bySite.filter { $0.value.affected > 0 }
        let name = targets[target]
        let isEverywhere = affected >= 2 && Double(affected) >= settings.targetShare * Double(total)
        if isEverywhere, down.count >= 2 || bySite.count == 1 {
            return [Finding(.target(name), affected: affected, total: total, sites: down.count)]
        }
        return down.filter { $0.value.isBroken(share: settings.share) && !sites[$0.key].isEmpty }
            .map {
                let level = Finding.Level.targetAtSite(name, site: sites[$0.key])
                return Finding(level, affected: $0.value.affected, total: $0.value.total, sites: 1)
            }
            .sorted { ($0.affected, "\($1)") > ($1.affected, "\($0)") }
    }

    private func lostMedia(_ conditions: [Condition], besides broken: Set<UInt32>) -> [Finding] {
        struct Place: Hashable {
            let site: UInt32
            let medium: HostMedium
        }
        var tallies: [Place: Tally] = [:]
        for (record, condition) in zip(records, conditions)
        where (condition == .well || condition == .down) && record.usualMedium != .unknown {
            guard !broken.contains(record.site), !sites[record.site].isEmpty else { continue }
            tallies[Place(site: record.site, medium: record.usualMedium), default: Tally()]
                .count(record.medium != .unknown && record.medium != record.usualMedium, site: record.site)
        }
        return tallies.filter { $0.value.isBroken(share: settings.share) }
            .map {
                let level = Finding.Level.medium($0.key.medium.rawValue, site: sites[$0.key.site])
                return Finding(level, affected: $0.value.affected, total: $0.value.total, sites: 1)
            }
            .sorted { ($0.affected, "\($1)") > ($1.affected, "\($0)") }
    }

    private func hostsAlone(
        _ conditions: [Condition], _ brokenProviders: Set<UInt32>, _ brokenSites: Set<UInt32>, _ most: Int
    ) -> [Finding] {
        var findings: [Finding] = []
        for (record, condition) in zip(records, conditions) where condition.isAffected && findings.count < most {
            guard !brokenProviders.contains(record.provider), !brokenSites.contains(record.site) else { continue }
            findings.append(Finding(.host(record.name, condition), affected: 1, total: 1, sites: 1))
        }
        return findings
    }
}
