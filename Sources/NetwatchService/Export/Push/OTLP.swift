import Connectivity
import History
import JSON
import Netwatch

/// Metrics and events in OpenTelemetry's JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): 64-bit numbers
/// are texts, and names are in lower camel case.
struct OTLP: Sendable {
    private static let cumulative: JSONValue = 2
    private static let information: JSONValue = 9
    private static let warning: JSONValue = 13
    /// Less than a clock's step is what rounding makes, or a run's number that follows another's: in nanoseconds.
    private static let tolerance: UInt64 = 60_000_000_000

    private let resource: JSONValue
    private let scope: JSONValue
    /// When counters began to count, in nanoseconds since 1970.
    private var start: UInt64

    init(origin: EventOrigin) {
        let own = origin.labels.sorted { $0.key < $1.key }.map { Self.attribute($0.key, .string($0.value)) }
        let attributes = [
            Self.attribute("service.name", "netwatch"),
            Self.attribute("service.version", .string(NetwatchVersion.current)),
            Self.attribute("service.instance.id", .string(origin.id)), Self.attribute("host.id", .string(origin.id)),
            Self.attribute("host.name", .string(origin.name)),
        ]
        resource = .object(["attributes": .array(attributes + own)])
        scope = .object(["name": "netwatch", "version": .string(NetwatchVersion.current)])
        // A run's number may be any: it is held where nanoseconds fit.
        start = min(origin.epoch, UInt64.max / 1_000_000_000) * 1_000_000_000
    }

    /// Has counters begin when the run has, by the clock as it goes now: the run's number lies ahead where a clock did once,
    /// and the clock may have been set since. What begins in the future is refused, and each new beginning looks like a restart.
    ///
    /// - Parameters:
    ///   - time: Now, in nanoseconds since 1970.
    ///   - running: How long the run has lasted, in nanoseconds.
    mutating func fit(to time: UInt64, running: UInt64) {
        let began = time > running ? time - running : 0
        if max(start, began) - min(start, began) > Self.tolerance { start = began }
        start = min(start, time)
    }

    // MARK: Metrics

    /// - Parameter time: Nanoseconds since 1970.
    func metrics(_ families: [MetricFamily], at time: UInt64) -> JSONValue {
        let metrics = families.filter { !$0.samples.isEmpty }.map { metric($0, .string("\(time)")) }
        return .object([
            "resourceMetrics": .array([
                .object([
                    "resource": resource,
                    "scopeMetrics": .array([.object(["scope": scope, "metrics": .array(metrics)])]),
                ])
            ])
        ])
    }

    private func metric(_ family: MetricFamily, _ time: JSONValue) -> JSONValue {
        let start = JSONValue.string("\(self.start)")
        var object: JSONObject = ["name": .string(family.name), "description": .string(family.help)]
        switch family.kind {
        case .gauge, .info:
            object["gauge"] = .object(["dataPoints": .array(family.samples.map { point($0, time) })])
        case .counter:
            object["sum"] = .object([
                "dataPoints": .array(family.samples.map { point($0, time, start: start) }),
                "aggregationTemporality": Self.cumulative, "isMonotonic": true,
            ])
        case .histogram:
            object["histogram"] = .object([
                "dataPoints": .array(histograms(family, time, start: start)), "aggregationTemporality": Self.cumulative,
            ])
        }
        return .object(object)
    }

    private func point(_ sample: MetricFamily.Sample, _ time: JSONValue, start: JSONValue? = nil) -> JSONValue {
        var object: JSONObject = ["attributes": Self.attributes(sample.labels)]
        if let start { object["startTimeUnixNano"] = start }
        object["timeUnixNano"] = time
        object["asDouble"] = .number(sample.value)
        return .object(object)
    }

    /// The buckets of Prometheus count all up to a bound, those of OpenTelemetry what lies between two.
    private func histograms(_ family: MetricFamily, _ time: JSONValue, start: JSONValue) -> [JSONValue] {
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.name != "le" } }
        return groups.sorted { "\($0.key)" < "\($1.key)" }.map { labels, samples in
            let buckets = samples.filter { $0.suffix == "_bucket" }
            let bounds = buckets.compactMap { $0.labels.first { $0.name == "le" }.flatMap { Double($0.value) } }
            let totals = buckets.map { UInt64($0.value) }
            let counts = zip(totals, [0] + totals).map { $0 >= $1 ? $0 - $1 : 0 }
            return .object([
                "attributes": Self.attributes(labels), "startTimeUnixNano": start, "timeUnixNano": time,
                "count": .string("\(totals.last ?? 0)"),
                "sum": .number(samples.first { $0.suffix == "_sum" }?.value ?? 0),
                "bucketCounts": .array(counts.map { .string("\($0)") }),
                "explicitBounds": .array(bounds.filter(\.isFinite).map { .number($0) }),
            ])
        }
    }

    // MARK: Events

    func logs(_ entries: [BacklogEntry]) -> JSONValue {
        .object([
            "resourceLogs": .array([
                .object([
                    "resource": resource,
                    "scopeLogs": .array([.object(["scope": scope, "logRecords": .array(entries.map(record))])]),
                ])
            ])
        ])
    }

    private func record(_ entry: BacklogEntry) -> JSONValue {
        let place = [
            Self.attribute("netwatch.epoch", .object(["intValue": .string("\(entry.place.run)")])),
            Self.attribute("netwatch.seq", .object(["intValue": .string("\(entry.place.seq)")])),
        ]
        switch entry {
        case .gap(let first, let last):
            return .object([
                "severityNumber": Self.warning, "severityText": "WARN",
                "body": Self.text("the events after \(first) up to \(last) are lost"),
                "attributes": .array([Self.attribute("event.name", "netwatch.gap")] + place),
            ])
        case .line(let line, _):
            return .object([
                "severityNumber": Self.information, "severityText": "INFO",
                "body": Self.text(String(decoding: line, as: UTF8.self)), "attributes": .array(place),
            ])
        case .event(let event, _):
            let isBad = event.kind == .transition && event.connectivity != .full && event.from?.connectivity == .full
            let words = [
                ("event.name", "netwatch.\(event.kind.rawValue)"),
                ("netwatch.reachability", event.reachability.rawValue),
                ("netwatch.connectivity", event.connectivity.rawValue),
                ("netwatch.reason", event.reason?.rawValue ?? ""), ("netwatch.blame", event.blame?.rawValue ?? ""),
                ("netwatch.cause", event.cause.description),
            ].filter { !$0.1.isEmpty }
            return .object([
                "timeUnixNano": .string("\(event.timeNanoseconds)"),
                "observedTimeUnixNano": .string("\(event.timeNanoseconds)"),
                "severityNumber": isBad ? Self.warning : Self.information, "severityText": isBad ? "WARN" : "INFO",
                "body": Self.text(PlainLine.text(of: event)),
                "attributes": .array(words.map { Self.attribute($0.0, .string($0.1)) } + place),
            ])
        }
    }

    // MARK: Values

    private static func attributes(_ labels: [MetricFamily.Label]) -> JSONValue {
        .array(labels.map { attribute($0.name, .string($0.value)) })
    }

    /// - Parameter value: A text, or a value as OpenTelemetry writes it.
    private static func attribute(_ key: String, _ value: JSONValue) -> JSONValue {
        guard let text = value.stringValue else { return .object(["key": .string(key), "value": value]) }
        return .object(["key": .string(key), "value": Self.text(text)])
    }

    private static func text(_ text: String) -> JSONValue { .object(["stringValue": .string(text)]) }
}
