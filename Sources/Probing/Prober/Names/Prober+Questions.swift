internal import Connectivity
internal import Evidence

extension Prober {
    /// Looks a name up for the lane that asks.
    func answer(to question: NameQuestion) async -> Answer {
        do throws(NameFailure) {
            let found = try await find(question)
            return .addresses(found.addresses, lifetime: found.lifetime)
        } catch {
            return Answer(error)
        }
    }
}
