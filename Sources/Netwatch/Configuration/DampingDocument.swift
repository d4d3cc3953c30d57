import Connectivity

/// How flapping is damped: `{"penalty": 1000, "suppress": 2500, "reuse": 750, "halfLife": 60, "ceiling": 6000}`, each of
/// which may be left out.
struct DampingDocument: Decodable, Sendable {
    var penalty: Double?
    var suppress: Double?
    var reuse: Double?
    var halfLife: Double?
    var ceiling: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case penalty, suppress, reuse, halfLife, ceiling
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        penalty = try values.decodeIfPresent(Double.self, forKey: .penalty)
        suppress = try values.decodeIfPresent(Double.self, forKey: .suppress)
        reuse = try values.decodeIfPresent(Double.self, forKey: .reuse)
        halfLife = try values.decodeIfPresent(Double.self, forKey: .halfLife)
        ceiling = try values.decodeIfPresent(Double.self, forKey: .ceiling)
    }

    func damping() throws(ConfigurationError) -> FlapDamping.Configuration {
        var damping = FlapDamping.Configuration()
        penalty.map { damping.penalty = $0 }
        suppress.map { damping.suppress = $0 }
        reuse.map { damping.reuse = $0 }
        ceiling.map { damping.ceiling = $0 }
        try ConfigurationDocument.seconds(halfLife, "damping.halfLife").map { damping.halfLife = $0 }
        return damping
    }
}
