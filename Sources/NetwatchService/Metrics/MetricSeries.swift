import CoreMetrics

/// The series behind a counter of swift-metrics. It never falls.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let registry: MetricRegistry
    private let key: MetricRegistry.Key

    init(registry: MetricRegistry, key: MetricRegistry.Key) {
        self.registry = registry
        self.key = key
        increment(by: 0.0)
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount >= 0 else { return }
        registry.update(key) { series in
            series = if case .counter(let value) = series { .counter(value + amount) } else { .counter(amount) }
        }
    }

    func reset() {
        registry.update(key) { $0 = .counter(0) }
    }
}

/// The series behind a meter or a recorder that keeps the latest value.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let registry: MetricRegistry
    let key: MetricRegistry.Key

    init(registry: MetricRegistry, key: MetricRegistry.Key) {
        self.registry = registry
        self.key = key
    }

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) {
        registry.update(key) { $0 = .gauge(value) }
    }

    func increment(by amount: Double) {
        registry.update(key) { series in
            series = if case .gauge(let value) = series { .gauge(value + amount) } else { .gauge(amount) }
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }
}

/// The series behind a timer, in seconds, or a recorder that keeps a distribution.
final class HistogramSeries: TimerHandler, RecorderHandler {
    private let registry: MetricRegistry
    private let key: MetricRegistry.Key

    init(registry: MetricRegistry, key: MetricRegistry.Key) {
        self.registry = registry
        self.key = key
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        registry.update(key) { series in
            var histogram = if case .histogram(let known) = series { known } else { Histogram() }
            histogram.record(value)
            series = .histogram(histogram)
        }
    }
}
