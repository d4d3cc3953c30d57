import Netwatch

/// The text of `/metrics` for others to take in: without time stamps, which a Pushgateway refuses, and with whose it is in
/// each sample.
enum PushedText {
    static func text(_ families: [MetricFamily], of origin: EventOrigin) -> String {
        let host = labels(of: origin)
        return Exposition.prometheus.text(
            families.map { family in
                var family = family
                for index in family.samples.indices {
                    let known = Set(family.samples[index].labels.map(\.name))
                    family.samples[index].labels += host.filter { !known.contains($0.name) }
                }
                return family
            })
    }

    /// As a scrape would have them: the job, the instance, and the labels of the configuration.
    static func labels(of origin: EventOrigin) -> [MetricFamily.Label] {
        let own = origin.labels.sorted { $0.key < $1.key }.map { MetricFamily.Label($0.key, $0.value) }
        return [.init("job", "netwatch"), .init("instance", origin.name)]
            + own.filter { $0.name != "job" && $0.name != "instance" }
    }
}
