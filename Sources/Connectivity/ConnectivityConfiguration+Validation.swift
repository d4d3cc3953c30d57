extension ConnectivityConfiguration {
    /// Checks what would only show when a target is probed.
    ///
    /// - Throws: ``ConnectivityError`` that names the value and what is wrong with it.
    public func validate() throws(ConnectivityError) {
        try validateNumbers()
        try validateDamping()
        do throws(TargetError) {
            var names: Set<String> = []
            for target in targets {
                guard names.insert(target.name).inserted else { throw .duplicateName(target.name) }
                try target.validate()
            }
        } catch {
            throw .target(error)
        }
    }

    private func validateNumbers() throws(ConnectivityError) {
        try check(Target.intervals.contains(interval), "interval", "1 ms to a year")
        try check(retryDelay >= .milliseconds(1) && retryDelay <= .seconds(86400), "retryDelay", "1 ms to a day")
        try check(Target.timeouts.contains(timeout), "timeout", "1 ms to an hour")
        try check(jitter >= 0 && jitter <= 1, "jitter", "0 to 1")
        try check(rise >= 1 && fall >= 1, "rise and fall", "1 or more")
        try check((2...1_000_000).contains(staleIntervals), "staleIntervals", "2 to 1,000,000")
        try check(maximumProbesInFlight >= 1, "maximumProbesInFlight", "1 or more")
        let watch = traffic?.interval ?? .seconds(1)
        try check(TrafficConfiguration.intervals.contains(watch), "traffic.interval", "50 ms to an hour")
        try check(policy.isMeant, "policy", "a quorum or a weight of 1 or more")
        let weights = targets.allSatisfy { (0...1_000_000).contains($0.weight) }
        try check(weights, "weight", "0 to 1,000,000")
        for (interface, api) in portalAPIs.sorted(by: { $0.key < $1.key }) {
            let allowed = "an address of HTTPS, or \(CaptivePortal.unrestricted)"
            try check(CaptivePortal.isAddress(api), "portalAPIs.\(interface)", allowed)
        }
    }

    private func validateDamping() throws(ConnectivityError) {
        guard let damping else { return }
        let isPositive = { (number: Double) in number.isFinite && number > 0 }
        try check(isPositive(damping.penalty), "damping.penalty", "more than 0")
        try check(isPositive(damping.reuse), "damping.reuse", "more than 0")
        try check(damping.suppress > damping.reuse, "damping.suppress", "more than \"reuse\"")
        let ceiling = damping.ceiling
        try check(ceiling.isFinite && ceiling >= damping.suppress, "damping.ceiling", "\"suppress\" or more")
        let halfLife = damping.halfLife
        try check(halfLife >= .milliseconds(1) && halfLife <= .seconds(86400), "damping.halfLife", "1 ms to a day")
    }

    private func check(_ isGood: Bool, _ name: String, _ range: String) throws(ConnectivityError) {
        guard isGood else { throw .value(name: name, range: range) }
    }
}

extension ConnectivityPolicy {
    /// Whether it asks for anything.
    fileprivate var isMeant: Bool {
        switch self {
        case .all, .any: true
        case .quorum(let number), .weight(let number): number >= 1
        }
    }
}
