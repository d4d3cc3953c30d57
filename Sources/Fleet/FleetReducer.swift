/// Knows a fleet by what its hosts publish, and finds the level at which something is broken: pure, without a clock or a broker.
package struct FleetReducer: Sendable {
    package struct Settings: Hashable, Sendable {
        /// The labels that say where a host is, and which provider connects it.
        package var siteLabel = "site"
        package var providerLabel = "provider"
        /// How often hosts publish their state although nothing has changed, in seconds.
        package var heartbeat = 60.0
        /// After so many heartbeats without a word a host is stale.
        package var staleHeartbeats = 3.0
        /// Which part of a group has to be broken before the group is named in place of its hosts.
        package var share = 0.8
        /// The same for a target, which hosts look at by different ways.
        package var targetShare = 0.6
        /// How many hosts there are at most; of more nothing is kept.
        package var mostHosts = 1_000_000
        /// How many names of targets are known at most, and of sites, and of providers; what has another is as one without.
        package var mostNames = 1 << 18

        package init() {}
    }

    package enum Input: Sendable {
        /// - isRetained: Whether the broker had kept it: for how long is not known.
        case presence(String, Presence, isRetained: Bool = false)
        /// - isRetained: Whether the broker had kept it: it is as old as it says.
        /// - isState: Whether it is what the host is now, whatever its number says: a clock that was set back counts anew.
        case report(String, HostReport, isRetained: Bool, isState: Bool = false)
        /// The broker holds nothing of the host any more.
        case removal(String)
        /// The reader was cut off itself and is back: which hosts are stale is to be seen from now on.
        case resumption
    }

    package let settings: Settings
    var records: [HostRecord] = []
    private var places: [String: Int] = [:]
    var targets: NameTable
    var sites: NameTable
    var providers: NameTable
    /// Since when the reader has been listening without a break; nil from the beginning.
    private(set) var resumed: Double?
    /// How many events were told as lost.
    package private(set) var gaps = 0
    /// How many events came twice.
    package private(set) var repeats = 0
    /// How many hosts are too many.
    package private(set) var refused = 0

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
        let names = NameTable(most: settings.mostNames)
        (targets, sites, providers) = (names, names, names)
    }

    package var count: Int { records.count }

    /// - Parameters:
    ///   - now: Seconds since 1970.
    package mutating func reduce(_ input: Input, at now: Double) {
        switch input {
        case .presence(let topic, let presence, let isRetained):
            guard let index = index(of: topic) else { return }
            records[index].presence = presence
            if presence == .online, !isRetained { records[index].heard = max(records[index].heard, now) }
        case .report(let topic, let report, let isRetained, let isState):
            guard let index = index(of: topic) else { return }
            take(report, index, heard: isRetained ? min(report.time ?? now, now) : now, isState: isState)
        case .removal(let topic): remove(topic)
        case .resumption:
            resumed = now
            // The reader's clock may have been set back.
            for index in records.indices { records[index].heard = min(records[index].heard, now) }
        }
    }

    private mutating func index(of topic: String) -> Int? {
        if let known = places[topic] { return known }
        guard records.count < settings.mostHosts else {
            refused += 1
            return nil
        }
        records.append(HostRecord(topic: topic, name: topic, site: 0, provider: 0))
        places[topic] = records.count - 1
        return records.count - 1
    }

    private mutating func remove(_ topic: String) {
        guard let index = places.removeValue(forKey: topic) else { return }
        records.swapAt(index, records.count - 1)
        records.removeLast()
        if index < records.count { places[records[index].topic] = index }
    }

    private mutating func take(_ report: HostReport, _ index: Int, heard: Double, isState: Bool) {
        guard report.kind != .gap else {
            gaps += 1
            return
        }
        let isKnown = records[index].hasReported
        let (old, new) = ((records[index].epoch, records[index].seq), (report.epoch, report.seq))
        // A snapshot has the number of the last event, and may tell more of the same moment.
        let isOtherRun = isState && report.epoch != records[index].epoch
        guard !isKnown || isOtherRun || new > old || (new == old && report.kind == .snapshot) else {
            repeats += 1
            return
        }
        records[index].hasReported = true
        (records[index].epoch, records[index].seq) = new
        records[index].heard = max(records[index].heard, heard)
        if records[index].name != report.name { records[index].name = report.name }
        records[index].site = sites.number(of: report.labels[settings.siteLabel] ?? "") ?? 0
        records[index].provider = providers.number(of: report.labels[settings.providerLabel] ?? "") ?? 0
        records[index].medium = report.medium
        records[index].connectivity = report.connectivity
        records[index].isBlamedOnTarget = report.blame == "target"
        if !isKnown { records[index].usualMedium = .unknown }
        if report.connectivity == .full, report.medium != .none { records[index].isWell(by: report.medium, at: heard) }
        takeTargets(report, index)
    }

    private mutating func takeTargets(_ report: HostReport, _ index: Int) {
        let told = report.targets.prefix(HostReport.mostTargets)
        if report.kind == .snapshot {
            var (entries, known): ([UInt32], Set<UInt32>) = ([], [])
            for target in told {
                // A host that tells of a target twice counts once all the same.
                guard let number = targets.number(of: target.name), known.insert(number).inserted else { continue }
                entries.append(number << 2 | target.status.rawValue)
            }
            records[index].targets = entries
            return
        }
        if let others = report.others { records[index].setAll(others) }
        for target in told {
            guard let number = targets.number(of: target.name) else { continue }
            records[index].set(target.status, of: number)
        }
    }
}
