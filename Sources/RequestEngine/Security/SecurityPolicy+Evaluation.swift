extension SecurityPolicy {
    /// Decides whether a chain is trusted, without any connection.
    ///
    /// Reads the policy's anchors each time; make a ``TrustEvaluator`` to evaluate more than a few chains.
    public func evaluate(
        chain: [Certificate], host: String?, stapledResponse: [UInt8]? = nil, at time: Int64? = nil
    ) throws -> TrustResult {
        try TrustEvaluator(self).evaluate(chain, host: host, stapledResponse: stapledResponse, at: time)
    }
}
