/// The evaluators of a session. Equal policies share one, and equal anchors are read once.
struct TrustEvaluators {
    private var evaluators: [SecurityPolicy: TrustEvaluator] = [:]
    private var stores: [TrustAnchors: TrustStore] = [:]

    /// The evaluator of a policy, made when it is first asked for.
    mutating func evaluator(for policy: SecurityPolicy) throws(SecurityError) -> TrustEvaluator {
        if let evaluator = evaluators[policy] { return evaluator }
        let store = try store(of: policy.anchors)
        let evaluator = try TrustEvaluator(policy, store: store)
        evaluators[policy] = evaluator
        return evaluator
    }

    private mutating func store(of anchors: TrustAnchors) throws(SecurityError) -> TrustStore {
        if let store = stores[anchors] { return store }
        let store = try TrustStore(anchors)
        stores[anchors] = store
        return store
    }
}
