import Connectivity

/// How the host's own TCP connections are looked at: `true` where a probe is due, `{"interval": "500ms"}` every so often,
/// `false` not at all.
struct TrafficDocument: Sendable {
    let traffic: TrafficConfiguration?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case interval
    }

    init(_ node: DocumentNode) throws(ConfigurationError) {
        if let isWanted = node.flag {
            traffic = isWanted ? TrafficConfiguration(interval: nil) : nil
            return
        }
        let values = try DocumentObject<CodingKeys>(
            node, at: "traffic", expected: "true, false or {\"interval\": \"500ms\"}")
        traffic = TrafficConfiguration(interval: try values.duration(.interval))
    }
}
