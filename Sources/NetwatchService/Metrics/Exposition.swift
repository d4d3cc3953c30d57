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
    package func text(_ families: [MetricFamily]) -> String { String(decoding: bytes(families), as: UTF8.self) }

    /// The same as it is sent: thousands of targets are hundreds of thousands of labels, most of which are copied as they are.
    package func bytes(_ families: [MetricFamily]) -> [UInt8] {
        var bytes: [UInt8] = []
        for family in families where !family.samples.isEmpty { append(family, to: &bytes) }
        if self == .openMetrics { bytes += "# EOF\n".utf8 }
        return bytes
    }

    private func append(_ family: MetricFamily, to bytes: inout [UInt8]) {
        bytes += "# HELP \(metadataName(family)) ".utf8
        appendEscaped(family.help, to: &bytes, quotes: self == .openMetrics)
        bytes += "\n# TYPE \(metadataName(family)) \(typeName(family.kind))\n".utf8
        for sample in family.samples {
            bytes += family.name.utf8
            bytes += sample.suffix.utf8
            appendLabels(sample.labels, to: &bytes)
            bytes.append(UInt8(ascii: " "))
            bytes += number(sample.value).utf8
            bytes.append(UInt8(ascii: "\n"))
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

    private func appendLabels(_ labels: [MetricFamily.Label], to bytes: inout [UInt8]) {
        guard !labels.isEmpty else { return }
        var separator = UInt8(ascii: "{")
        for label in labels {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            bytes += label.name.utf8
            bytes.append(UInt8(ascii: "="))
            bytes.append(UInt8(ascii: "\""))
            appendEscaped(label.value, to: &bytes, quotes: true)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Escapes what has a meaning in the text. All of that is ASCII, and no byte of another character is.
    private func appendEscaped(_ text: String, to bytes: inout [UInt8], quotes: Bool) {
        let (backslash, feed, quote) = (UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\""))
        let isPlain = text.utf8.allSatisfy { $0 != backslash && $0 != feed && $0 != quote }
        guard !isPlain else {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
            switch byte {
            case backslash: bytes += [backslash, backslash]
            case feed: bytes += [backslash, UInt8(ascii: "n")]
            case quote where quotes: bytes += [backslash, quote]
            default: bytes.append(byte)
            }
        }
    }

    private func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }
}
