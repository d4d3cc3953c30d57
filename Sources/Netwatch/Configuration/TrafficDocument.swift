import Connectivity

/// How the host's own TCP connections are looked at: `true` where a probe is due, `{"interval": 0.5}` every so often,
/// `false` not at all.
struct TrafficDocument: Decodable, Sendable {
    var isWanted = true
    var interval: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case interval
    }

    init(from decoder: any Decoder) throws {
        if let isWanted = try? decoder.singleValueContainer().decode(Bool.self) {
            self.isWanted = isWanted
            return
        }
        guard (try? decoder.container(keyedBy: CodingKeys.self)) != nil else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected true, false or {\"interval\": seconds}"))
        }
        interval = try decoder.container(refusingOthersThan: CodingKeys.self)
            .decodeIfPresent(Double.self, forKey: .interval)
    }

    func traffic() throws(ConfigurationError) -> TrafficConfiguration? {
        guard isWanted else { return nil }
        return TrafficConfiguration(interval: try ConfigurationDocument.seconds(interval, "traffic.interval"))
    }
}
