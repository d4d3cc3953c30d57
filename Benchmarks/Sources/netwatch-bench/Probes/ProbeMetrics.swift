import Foundation

/// What the program tells of its probes on its metrics page.
struct ProbeMetrics {
    private let values: [String: Double]

    init(port: Int) throws {
        let page = try command("curl", "-sf", "http://127.0.0.1:\(port)/metrics")
        let pairs = page.split(separator: "\n").compactMap { line -> (String, Double)? in
            guard !line.hasPrefix("#"), let space = line.lastIndex(of: " "),
                let value = Double(line[space...].dropFirst())
            else { return nil }
            return (String(line[..<space]), value)
        }
        values = Dictionary(pairs) { first, _ in first }
    }

    var succeeded: Double { values["netwatch_probes_total{result=\"success\"}"] ?? 0 }

    var failed: Double { values["netwatch_probes_total{result=\"failure\"}"] ?? 0 }

    /// The longest delay of a start, in milliseconds.
    var maximumDelay: Double { (values["netwatch_probe_start_delay_max_seconds"] ?? 0) * 1000 }

    /// The bound that the given share of all delays does not exceed, in milliseconds.
    func delay(percentile percent: Double) -> Double {
        let total = values["netwatch_probe_start_delay_seconds_count"] ?? 0
        let prefix = "netwatch_probe_start_delay_seconds_bucket{le=\""
        let bounds = values.compactMap { name, count -> Double? in
            guard name.hasPrefix(prefix), count >= total * percent / 100 else { return nil }
            return Double(name.dropFirst(prefix.count).prefix { $0 != "\"" })
        }
        return min((bounds.min() ?? .infinity) * 1000, maximumDelay)
    }
}
