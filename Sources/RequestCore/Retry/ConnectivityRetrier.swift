public import RequestEngine

/// Holds a request that failed for lack of a path until there is one, and sends it then: "wait for connectivity".
///
/// Nothing is asked before a request is sent; only a failure is looked at. While the path is there, other retriers
/// decide.
public struct ConnectivityRetrier: RequestRetrier {
    private let source: any PathSource
    private let limit: Duration?

    /// - Parameters:
    ///   - source: What tells whether there is a path.
    ///   - limit: The longest wait for one; nil waits for as long as it takes. After it the request fails as it had.
    public init(source: any PathSource, limit: Duration? = nil) {
        self.source = source
        self.limit = limit
    }

    public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
        guard let reason = attempt.error?.reason, reason.mayBeOffline else { return .doNotRetry }
        // The path may have come since the attempt failed: one more finds out.
        return await hold(mayHaveCome: attempt.count == 1 && reason.isLackOfPath) ? .retry : .doNotRetry
    }

    /// Waits for a path to come; false where it does not in time, or was there all along.
    private func hold(mayHaveCome: Bool) async -> Bool {
        guard let limit else { return await pathComes(mayHaveCome) }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await pathComes(mayHaveCome) }
            group.addTask {
                try? await Task.sleep(for: limit.bounded)
                return false
            }
            let comes = await group.next() ?? false
            group.cancelAll()
            return comes
        }
    }

    private func pathComes(_ mayHaveCome: Bool) async -> Bool {
        var wasMissing = mayHaveCome
        for await hasPath in source.paths() {
            guard !hasPath else { return wasMissing }
            wasMissing = true
        }
        return false
    }
}
