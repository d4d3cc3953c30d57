internal import NetworkAddress

/// How often in a row each address of a target has failed, so that one lost packet is no news.
struct AddressStreaks: Sendable {
    private var failures: [IPAddress: Int] = [:]

    /// Those that have failed often enough, in the order of the results.
    private(set) var failing: [AddressResult] = []

    /// Takes the results of one probe in. The first ones count at once, as those of a target do.
    mutating func take(_ results: [AddressResult]?, fall: Int, isFirst: Bool) {
        guard let results else {
            if !failing.isEmpty { self = AddressStreaks() }
            return
        }
        var counts: [IPAddress: Int] = [:]
        for result in results where result.isFailure {
            counts[result.address] = isFirst ? fall : failures[result.address, default: 0] + 1
        }
        failures = counts
        failing = results.filter { counts[$0.address, default: 0] >= fall }
    }
}
