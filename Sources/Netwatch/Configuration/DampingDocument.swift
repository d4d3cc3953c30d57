import Connectivity

/// How flapping is damped: `{"penalty": 1000, "suppress": 2500, "reuse": 750, "halfLife": 60, "ceiling": 6000}`, each of
/// which may be left out.
struct DampingDocument: Sendable {
    let damping: FlapDamping.Configuration

    enum CodingKeys: String, CodingKey, CaseIterable {
        case penalty, suppress, reuse, halfLife, ceiling
    }

    init(_ node: DocumentNode) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(
            node, at: "damping", expected: "an object such as {\"penalty\": 1000, \"halfLife\": \"60s\"}")
        var damping = FlapDamping.Configuration()
        try values.number(.penalty).map { damping.penalty = $0 }
        try values.number(.suppress).map { damping.suppress = $0 }
        try values.number(.reuse).map { damping.reuse = $0 }
        try values.duration(.halfLife).map { damping.halfLife = $0 }
        try values.number(.ceiling).map { damping.ceiling = $0 }
        self.damping = damping
    }
}
