import Fleet
import JSON

/// A fleet at one moment: what is shown of it, in a table, in lines or in JSON.
struct FleetView: Hashable, Sendable {
    let link: FleetListener.Link
    let hosts: Int
    let sites: [SiteSummary]
    let findings: [Finding]
    let gaps: Int

    init(_ reducer: FleetReducer, at now: Double, hostsAlone most: Int, link: FleetListener.Link) {
        self.link = link
        hosts = reducer.count
        sites = reducer.siteSummaries(at: now)
        findings = reducer.findings(at: now, hostsAlone: most)
        gaps = reducer.gaps
    }

    private var isConnected: Bool { if case .connected = link { true } else { false } }

    /// How the program ends that tells it once.
    var status: ExitStatus {
        guard isConnected, hosts > 0 else { return .undecided }
        guard findings.isEmpty else { return .degraded }
        return isAllKnown ? .success : .undecided
    }

    /// Whether each host has told how it is.
    private var isAllKnown: Bool { sites.allSatisfy { $0.count(.unknown) == 0 } }

    /// The first line: how many hosts there are, and how many are well.
    var summary: String {
        let counts = Condition.allCases.map { condition in (condition, sites.reduce(0) { $0 + $1.count(condition) }) }
        let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.words)" }.joined(separator: ", ")
        let number = hosts == 1 ? "1 host" : "\(hosts) hosts"
        let place = sites.count == 1 ? "1 site" : "\(sites.count) sites"
        guard hosts > 0 else { return "no host has published anything" }
        return "\(number) at \(place): \(words)"
    }

    /// Whether there is a broker, in words; nil where all is as it should be.
    var complaint: String? { if case .none(let words) = link { words } else { nil } }

    var lines: [String] { (complaint.map { ["no broker: \($0)"] } ?? []) + [summary] + findings.map { "\($0)" } }

    // MARK: JSON

    /// One line without its line feed (Documentation/Fleet.md).
    func json(time: String) -> String {
        let conditions = Condition.allCases.map { condition in
            (condition.rawValue, JSONValue.integer(Int64(sites.reduce(0) { $0 + $1.count(condition) })))
        }
        var object: JSONObject = ["schema": 1, "time": .string(time), "connected": .bool(isConnected)]
        if let complaint { object["failure"] = .string(complaint) }
        object["hosts"] = .integer(Int64(hosts))
        object["conditions"] = .object(JSONObject(conditions))
        object["findings"] = .array(findings.map(Self.json))
        object["sites"] = .array(sites.map(Self.json))
        object["gaps"] = .integer(Int64(gaps))
        return JSONValue.object(object).text(options: .init(escapesSlashes: false))
    }

    private static func json(_ finding: Finding) -> JSONValue {
        var object: JSONObject = ["level": .string(finding.level.word)]
        switch finding.level {
        case .fleet: break
        case .target(let name): object["target"] = .string(name)
        case .targetAtSite(let name, let site):
            object["target"] = .string(name)
            object["site"] = .string(site)
        case .provider(let name): object["provider"] = .string(name)
        case .site(let name): object["site"] = .string(name)
        case .medium(let name, let site):
            object["medium"] = .string(name)
            object["site"] = .string(site)
        case .host(let name, let condition):
            object["host"] = .string(name)
            object["condition"] = .string(condition.rawValue)
        }
        object["affected"] = .integer(Int64(finding.affected))
        object["total"] = .integer(Int64(finding.total))
        object["sites"] = .integer(Int64(finding.sites))
        object["description"] = .string("\(finding)")
        return .object(object)
    }

    private static func json(_ site: SiteSummary) -> JSONValue {
        let conditions = Condition.allCases.filter { site.count($0) > 0 }
            .map { ($0.rawValue, JSONValue.integer(Int64(site.count($0)))) }
        let media = HostMedium.allCases.compactMap { medium in
            site.media[medium].map { (medium.rawValue, JSONValue.integer(Int64($0))) }
        }
        return .object([
            "site": .string(site.site), "hosts": .integer(Int64(site.total)),
            "conditions": .object(JSONObject(conditions)), "media": .object(JSONObject(media)),
        ])
    }

    // MARK: The table

    /// The lines of a window.
    func table(width: Int, height: Int, _ style: Style) -> [StyledLine] {
        var lines = [StyledLine("netwatch fleet", .strong)]
        lines[0].append("  \(summary)")
        if let complaint { lines.append(StyledLine("no broker: \(complaint)", .bad)) }
        lines.append(StyledLine())
        let found = findings.prefix(max(3, height / 3))
        lines += found.map { StyledLine("\(style.bullet) \($0)", .bad) }
        if findings.count > found.count {
            lines.append(StyledLine("  and \(findings.count - found.count) more", .faint))
        }
        if findings.isEmpty, hosts > 0, isAllKnown { lines.append(StyledLine("\(style.bullet) all is well", .good)) }
        lines.append(StyledLine())
        var table = TextTable("SITE", "HOSTS", "WELL", "DOWN", "CUT OFF", "STALE", "MEDIA")
        for site in sites.prefix(max(1, height - lines.count - 2)) {
            func cell(_ condition: Condition, _ tone: Style.Tone) -> TextTable.Cell {
                let count = site.count(condition)
                return count == 0 ? .init(style.absent, .faint) : .init("\(count)", tone)
            }
            let media = HostMedium.allCases.compactMap { medium in site.media[medium].map { "\($0) \(medium.rawValue)" }
            }
            table.append(
                .init(site.site.isEmpty ? style.absent : site.site, .strong), .init("\(site.total)"),
                cell(.well, .good), cell(.down, .bad), cell(.cutOff, .bad), cell(.stale, .warning),
                .init(media.joined(separator: ", "), .faint))
        }
        return lines + table.lines(width: width, shrinking: [.init(6, to: 0), .init(0, to: 8)], style)
    }
}
