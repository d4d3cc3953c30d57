internal import Reachability

extension ConnectivityReducer {
    /// Whether the state is as a condition wants it. It costs the same with 10,000 targets as with one, because it is asked
    /// after every input.
    ///
    /// What targets and probes say is only known once the work that was put off is done.
    func meets(_ condition: WaitCondition) -> Bool {
        let isSettled = unsettled == nil
        return condition.isMet(path.status, isSettled ? judgement.status : .unknown) { name in
            isSettled && placeOfTarget[name].map { health[$0].status == .up } ?? false
        }
    }
}
