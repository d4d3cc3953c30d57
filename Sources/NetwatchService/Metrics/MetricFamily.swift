/// A named set of samples of one type, as Prometheus and OpenMetrics understand it.
package struct MetricFamily: Hashable, Sendable {
    /// The type of a family. States are gauges of 0 and 1 in both formats: OpenMetrics would have the state in a label
    /// named as the family, and a series must not change its labels with the format that was negotiated.
    package enum Kind: String, Hashable, Sendable {
        case counter
        case gauge
        case histogram
        /// Constant 1, with facts in its labels. A gauge where the format has no such type.
        case info
    }

    package struct Label: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// One line of the exposition. The suffix is `_bucket`, `_sum` or `_count` for a histogram.
    package struct Sample: Hashable, Sendable {
        package var suffix = ""
        package var labels: [Label]
        package var value: Double

        package init(_ value: Double, _ labels: [Label] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// The whole name: a counter's ends in `_total`, an info's in `_info`.
    package var name: String
    package var kind: Kind
    package var help: String
    package var samples: [Sample]

    package init(_ name: String, _ kind: Kind, help: String, _ samples: [Sample] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A state as one series for each value it could have: 1 for the value it has, 0 for the others.
    package init<State: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String, help: String, state: State
    ) {
        self.init(
            name, .gauge, help: help,
            State.allCases.map { Sample($0 == state ? 1 : 0, [Label("state", $0.rawValue)]) })
    }
}
