/// Removes operations from a failing history as long as it still fails, in halves, quarters and so on.
struct Shrinker {
    /// Each attempt is a fresh pair of namespaces.
    var attempts = 80

    func shrink(_ failure: Episode.Failure, _ history: [Operation]) async throws -> Episode.Failure {
        guard var smallest = try await replay(history) else {
            // It depended on the moment: the whole history is all there is to show.
            return Episode.Failure(operations: Operation.beginning + history, differences: failure.differences)
        }
        var history = history
        var (size, left) = (max(history.count / 2, 1), attempts)
        while left > 0 {
            var start = 0
            while start < history.count - 1, left > 0 {
                left -= 1
                var candidate = history
                candidate.removeSubrange(start..<min(start + size, history.count - 1))
                if let failure = try await replay(candidate) {
                    (history, smallest) = (candidate, failure)
                } else {
                    start += size
                }
            }
            if size == 1 { break }
            size /= 2
        }
        return Episode.Failure(
            operations: Operation.beginning + history, differences: smallest.differences)
    }

    /// Whether the history leads to a disagreement in a fresh pair of namespaces.
    private func replay(_ history: [Operation]) async throws -> Episode.Failure? {
        let episode = try await Episode()
        var failure: Episode.Failure?
        do {
            _ = try await episode.agree(after: history, isSettled: true, within: .seconds(2))
        } catch let disagreement as Episode.Failure {
            failure = disagreement
        }
        await episode.end()
        return failure
    }
}
