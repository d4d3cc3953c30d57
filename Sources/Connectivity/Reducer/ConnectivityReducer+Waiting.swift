internal import Reachability

extension ConnectivityReducer {
    /// Whether the state is as a condition wants it. It costs the same with 10,000 targets as with one, because it is asked
    /// after every input.
    package func meets(_ condition: WaitCondition) -> Bool {
        condition.isMet(path.status, judgement.status) { name in
            guard blankSince == nil else { return false }
            return placeOfTarget[name].map { health[$0].status == .up } ?? false
        }
    }
}
