import Synchronization

/// What the program counts and measures of itself, for `/metrics`. It is the process's, so that no counter ever falls.
package enum OwnMetrics {
    fileprivate struct Key: Hashable, Sendable {
        let name: String
        let labels: [MetricFamily.Label]

        var sortKey: String { labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }
    }

    fileprivate static let values = Mutex<[Key: Double]>([:])

    /// All of them, in the order of their names.
    package static var families: [MetricFamily] {
        let values = values.withLock { $0 }
        return Dictionary(grouping: values, by: \.key.name).sorted { $0.key < $1.key }.map { name, values in
            let samples = values.sorted { $0.key.sortKey < $1.key.sortKey }
                .map { MetricFamily.Sample($0.value, $0.key.labels) }
            let kind: MetricFamily.Kind = name.hasSuffix("_total") ? .counter : .gauge
            return MetricFamily(name, kind, help: "Reported by the program itself as \(name).", samples)
        }
    }
}

/// A number that only grows, shown from the moment on that there is one.
package struct Counter {
    private let key: OwnMetrics.Key

    /// - Parameter name: It ends in `_total`.
    package init(_ name: String, _ labels: [MetricFamily.Label] = []) {
        key = OwnMetrics.Key(name: name, labels: labels)
        increment(by: 0)
    }

    package func increment() { increment(by: 1) }

    package func increment(by amount: some BinaryInteger) {
        OwnMetrics.values.withLock { $0[key, default: 0] += Double(max(amount, 0)) }
    }
}

/// The latest value of something.
package struct Gauge {
    private let key: OwnMetrics.Key

    package init(_ name: String, _ labels: [MetricFamily.Label] = []) {
        key = OwnMetrics.Key(name: name, labels: labels)
    }

    package func record(_ value: some BinaryInteger) {
        OwnMetrics.values.withLock { $0[key] = Double(value) }
    }

    /// Forgets it, because what it tells of is gone.
    package func destroy() {
        OwnMetrics.values.withLock { $0[key] = nil }
    }
}
