import Connectivity

/// How flapping is damped: `{"penalty": 1000, "suppress": 2500, "reuse": 750, "halfLife": 60, "ceiling": 6000}`, each of
/// which may be left out.
struct DampingDocument: Sendable {
    var penalty: Double?
    var suppress: Double?
    var reuse: Double?
    var halfLife: Duration?
    var ceiling: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case penalty, suppress, reuse, halfLife, ceiling
    }

    init(_ node: DocumentNode) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(
            node, at: "damping", expected: "an object such as {\"penalty\": 1000, \"halfLife\": \"60s\"}")
        penalty = try values.number(.penalty)
        suppress = try values.number(.suppress)
        reuse = try values.number(.reuse)
        halfLife = try values.duration(.halfLife)
        ceiling = try values.number(.ceiling)
    }

    var damping: FlapDamping.Configuration {
        var damping = FlapDamping.Configuration()
        penalty.map { damping.penalty = $0 }
        suppress.map { damping.suppress = $0 }
        reuse.map { damping.reuse = $0 }
        ceiling.map { damping.ceiling = $0 }
        halfLife.map { damping.halfLife = $0 }
        return damping
    }
}
