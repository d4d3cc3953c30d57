internal import Connectivity
internal import RequestEngine

/// How much work a configuration's probes are, which decides how many threads do it.
struct ProbeLoad: Hashable, Sendable {
    /// What a probe costs, in seconds of a processor: a plain one, and one with a TLS handshake.
    private static let plainCost = 0.000_1
    private static let secureCost = 0.001
    /// Up to here the monitor's own loop does it beside its other work, and no event is later for it.
    private static let little = 0.02
    /// How busy one more loop may be, so that a probe that is due seldom waits for another.
    private static let most = 0.4

    /// Processors kept busy by probing.
    let processors: Double
    /// Whether a server may have a loop compute for as long as it likes: a handshake with a large group takes 0.3 s.
    let isSecure: Bool

    /// The load of one lane.
    init(_ configuration: ConnectivityConfiguration) {
        let load = configuration.targets.reduce(0) { sum, target in
            let cost = target.isSecure ? Self.secureCost : Self.plainCost
            return sum + cost / max(configuration.interval(of: target) / .seconds(1), 0.001)
        }
        processors = configuration.probesEnabled ? load : 0
        isSecure = configuration.probesEnabled && configuration.targets.contains { $0.mayCompute }
    }

    /// How many loops beside the monitor's own it takes over so many lanes: none for a few targets without TLS.
    func loops(of available: Int, lanes: Int = 1) -> Int {
        let processors = processors * Double(lanes)
        guard processors > Self.little else { return isSecure ? 1 : 0 }
        return max(1, min(available, Int((processors / Self.most).rounded(.up))))
    }
}
