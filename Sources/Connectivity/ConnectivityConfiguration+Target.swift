package import NetworkAddress

/// What holds for one target: its own value, else the one for all.
extension ConnectivityConfiguration {
    package func interval(of target: Target) -> Duration {
        target.interval ?? (interval == Self.usualInterval ? target.intervalInTurn : nil) ?? interval
    }

    package func jitter(of target: Target) -> Double { target.jitter ?? jitter }

    /// How many failures in a row bring it down.
    package func fall(of target: Target) -> Int { target.retries.map { $0 + 1 } ?? fall }
}

extension ConnectivityConfiguration {
    /// How many places are asked about where there is no way out: the kernel's news of routes is filtered by them, and can be
    /// by few more.
    private static let mostPlaces = 32
    /// How many targets are looked at for them.
    private static let mostLookedAt = 256

    /// Where targets are whose URLs name addresses, each once. Of many targets it is those of some, spread over all. Nil where
    /// there are no targets but the built-in ones, which are on the Internet.
    package var places: [IPAddress]? {
        guard !watched.isEmpty, watched != Target.defaults else { return nil }
        var places: [IPAddress] = []
        for target in watched.spread(over: Self.mostLookedAt) {
            if let address = target.address, !places.contains(address) { places.append(address) }
        }
        return places.spread(over: Self.mostPlaces)
    }
}

extension Array {
    /// So many elements at most, from its begin to its end at like distances.
    fileprivate func spread(over count: Int) -> [Element] {
        guard self.count > count else { return self }
        return (0..<count).map { self[$0 * self.count / count] }
    }
}
