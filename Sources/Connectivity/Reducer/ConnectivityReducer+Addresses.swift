/// A target that is up, and not by every address of its name.
extension ConnectivityReducer {
    /// Tells what each address did and, where some have failed long enough, why: the target stays up.
    func tellAddresses(_ health: inout TargetHealth, _ own: [Int]) {
        guard let index = own.first(where: { checks[$0].result?.addresses != nil }) else { return }
        let result = checks[index].result
        health.addresses = result?.addresses
        guard health.status == .up, let first = checks[index].addressStreaks.failing.first else { return }
        health.reason = first.reason
        health.blame = .target
        health.evidence =
            (result?.addresses ?? []).summary
            + (result?.addressCount.map { "; the first \(Prober.mostAddresses) of \($0) were asked" } ?? "")
    }
}
