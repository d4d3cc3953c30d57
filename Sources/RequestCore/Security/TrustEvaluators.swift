/// The evaluators of a session. Equal policies share one, and equal anchors are read once, and again when their files
/// change: authorities are withdrawn and revocation lists replaced while a service runs.
struct TrustEvaluators {
    private var evaluators: [SecurityPolicy: TrustEvaluator] = [:]
    private static let limit = 256
    private var stores: [TrustAnchors: TrustStore] = [:]

    /// The evaluator of a policy, made when it is first asked for.
    mutating func evaluator(for policy: SecurityPolicy) throws(SecurityError) -> TrustEvaluator {
        if let evaluator = evaluators[policy], evaluator.isCurrent { return evaluator }
        // Policies without end must not take memory without end.
        if evaluators.count >= Self.limit { self = TrustEvaluators() }
        let store = try store(of: policy.anchors)
        let evaluator = try TrustEvaluator(policy, store: store)
        evaluators[policy] = evaluator
        return evaluator
    }

    private mutating func store(of anchors: TrustAnchors) throws(SecurityError) -> TrustStore {
        if let store = stores[anchors], store.isCurrent { return store }
        let store = try TrustStore(anchors)
        stores[anchors] = store
        return store
    }
}
