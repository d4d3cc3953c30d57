#if Service
/// The text formats that a scraper may ask for.
package enum Exposition: Hashable, Sendable, CaseIterable {
    /// The Prometheus text format 0.0.4, which everything reads.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    /// The format for a request's `Accept` field: OpenMetrics only where it is asked for by name, and no less than plain text.
    package init(accept: String?) {
        let types = PreferenceList(accept)
        let open = types.weight(of: "application/openmetrics-text", wildcards: []) ?? 0
        let plain = types.weight(of: "text/plain", wildcards: ["text/*", "*/*"]) ?? 0
        self = open > 0 && open >= plain ? .openMetrics : .prometheus
    }

    /// Prometheus 3 refuses an answer that does not carry it.
    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The whole body. Families without a sample are left out.
    package func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty { append(family, to: &text) }
        if self == .openMetrics { text += "# EOF\n" }
        return text
    }

    private func append(_ family: MetricFamily, to text: inout String) {
        text += "# HELP \(metadataName(family)) \(escapedHelp(family.help))\n"
        text += "# TYPE \(metadataName(family)) \(typeName(family.kind))\n"
        for sample in family.samples {
            text += "\(family.name)\(sample.suffix)\(labels(sample)) \(number(sample.value))\n"
        }
    }

    /// OpenMetrics names a family without the suffix that its type adds to the samples.
    private func metadataName(_ family: MetricFamily) -> String {
        guard self == .openMetrics else { return family.name }
        for (kind, suffix) in [(MetricFamily.Kind.counter, "_total"), (.info, "_info")] where family.kind == kind {
            return family.name.hasSuffix(suffix) ? String(family.name.dropLast(suffix.count)) : family.name
        }
        return family.name
    }

    private func typeName(_ kind: MetricFamily.Kind) -> String {
        self == .prometheus && kind == .info ? "gauge" : kind.rawValue
    }

    private func labels(_ sample: MetricFamily.Sample) -> String {
        guard !sample.labels.isEmpty else { return "" }
        return "{" + sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private func escapedHelp(_ text: String) -> String {
        self == .openMetrics ? escaped(text) : escaped(text, quotes: false)
    }

    private func escaped(_ text: String, quotes: Bool = true) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }
}
#endif
