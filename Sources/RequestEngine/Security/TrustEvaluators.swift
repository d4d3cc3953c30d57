/// The evaluators of a session. Equal policies share one, which is made anew when the files that the policy names change:
/// authorities are withdrawn and revocation lists replaced while a service runs.
struct TrustEvaluators {
    private var evaluators: [SecurityPolicy: TrustEvaluator] = [:]
    private let stores: TrustStores
    private static let limit = 256

    init(stores: TrustStores) {
        self.stores = stores
    }

    /// The evaluator of a policy, made when it is first asked for.
    mutating func evaluator(for policy: SecurityPolicy) throws(SecurityError) -> TrustEvaluator {
        if let evaluator = evaluators[policy], evaluator.isCurrent { return evaluator }
        // Policies without end must not take memory without end.
        if evaluators.count >= Self.limit { evaluators = [:] }
        let evaluator = try TrustEvaluator(policy, store: stores.store(of: policy.anchors))
        evaluators[policy] = evaluator
        return evaluator
    }
}
