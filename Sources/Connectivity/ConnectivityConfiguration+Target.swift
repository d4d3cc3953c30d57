/// What holds for one target: its own value, else the one for all.
extension ConnectivityConfiguration {
    package func interval(of target: Target) -> Duration {
        target.interval ?? (interval == Self.usualInterval ? target.intervalInTurn : nil) ?? interval
    }

    package func jitter(of target: Target) -> Double { target.jitter ?? jitter }

    /// How many failures in a row bring it down.
    package func fall(of target: Target) -> Int { target.retries.map { $0 + 1 } ?? fall }
}
