package import Metrics
import Synchronization

/// Takes what swift-metrics reports in this process and shows it as families.
///
/// A label is used as the metric's name, with characters that Prometheus does not allow replaced. Timers are histograms
/// in seconds. Values are kept as long as the process lives, so that a counter never goes backwards; only a gauge is forgotten
/// when it is destroyed, because what it tells of is gone.
package final class MetricRegistry: MetricsFactory, Sendable {
    private let state = Mutex<[Key: Series]>([:])

    struct Key: Hashable {
        let name: String
        let labels: [MetricFamily.Label]
    }

    enum Series {
        case counter(Double)
        case gauge(Double)
        case histogram(Histogram)
    }

    package init() {}

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        CounterSeries(registry: self, key: key(label, dimensions, suffix: "_total"))
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        CounterSeries(registry: self, key: key(label, dimensions, suffix: "_total"))
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        GaugeSeries(registry: self, key: key(label, dimensions, suffix: ""))
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let key = key(label, dimensions, suffix: "")
        return aggregate ? HistogramSeries(registry: self, key: key) : GaugeSeries(registry: self, key: key)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        HistogramSeries(registry: self, key: key(label, dimensions, suffix: "_seconds"))
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) { forget(handler as? GaugeSeries) }
    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler as? GaugeSeries) }
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func forget(_ gauge: GaugeSeries?) {
        if let gauge { update(gauge.key) { $0 = nil } }
    }

    // MARK: Families

    /// Everything reported so far, in the order of the names.
    package func families() -> [MetricFamily] {
        let series = state.withLock { $0 }
        return Dictionary(grouping: series, by: \.key.name).sorted { $0.key < $1.key }.map { name, series in
            family(name, series.sorted { $0.key.sortKey < $1.key.sortKey })
        }
    }

    private func family(_ name: String, _ series: [(key: Key, value: Series)]) -> MetricFamily {
        let kind = series.first?.value.kind ?? .gauge
        return MetricFamily(
            name, kind, help: "Reported by the program itself as \(name).",
            series.flatMap { $0.value.samples($0.key.labels) })
    }

    private func key(_ label: String, _ dimensions: [(String, String)], suffix: String) -> Key {
        let name = Self.name(label)
        return Key(
            name: name.hasSuffix(suffix) ? name : name + suffix,
            labels: dimensions.map { MetricFamily.Label(Self.name($0.0), $0.1) })
    }

    private static func name(_ label: String) -> String {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    func update(_ key: Key, _ change: (inout Series?) -> Void) {
        state.withLock { change(&$0[key]) }
    }
}

extension MetricRegistry.Key {
    var sortKey: String { labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }
}

extension MetricRegistry.Series {
    var kind: MetricFamily.Kind {
        switch self {
        case .counter: .counter
        case .gauge: .gauge
        case .histogram: .histogram
        }
    }

    func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
        switch self {
        case .counter(let value), .gauge(let value): [MetricFamily.Sample(value, labels)]
        case .histogram(let histogram): histogram.samples(labels)
        }
    }
}
