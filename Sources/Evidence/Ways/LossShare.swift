/// What each host of a way has lost of its exchanges, and which hosts lose by their own fault: a way that loses packets takes
/// them from all of its hosts alike, a server that is overloaded takes them from itself.
struct LossShare {
    private struct Host {
        let number: Int
        var exchanges = 0
        /// Those in which something was lost.
        var lossy = 0

        var part: Double { Double(lossy) / Double(exchanges) }
    }

    private var hosts: [Int: Host] = [:]
    private var exchanges = 0
    private var lossy = 0

    mutating func note(isLossy: Bool, by host: Int) {
        hosts[host, default: Host(number: host)].exchanges += 1
        exchanges += 1
        guard isLossy else { return }
        hosts[host]?.lossy += 1
        lossy += 1
    }

    /// The hosts that lose by their own fault, at most half of all: those that have lost most, where the others would be spared
    /// as they were with a chance below this if all of them lost alike.
    func losers(below limit: Double) -> Set<Int> {
        let losing = hosts.values.filter { $0.lossy > 0 }.sorted { ($0.part, $0.number) > ($1.part, $1.number) }
        var (losers, least) = (0, limit)
        var (others, left) = (exchanges, lossy)
        // So many hosts can be chosen in so many ways, each of which could have been the one that is seen.
        var choices = 1.0
        for (number, host) in losing.prefix(hosts.count / 2).enumerated() {
            (others, left) = (others - host.exchanges, left - host.lossy)
            choices *= Double(hosts.count - number) / Double(number + 1)
            let spared = choices * chance(ofLosing: left, of: others)
            if spared < least { (losers, least) = (number + 1, spared) }
        }
        return Set(losing.prefix(losers).map(\.number))
    }

    /// The chance that so few of so many exchanges are lossy, or fewer, if it is chance which of all are (the hypergeometric
    /// distribution).
    private func chance(ofLosing most: Int, of count: Int) -> Double {
        let rest = exchanges - count
        guard most * exchanges < count * lossy, lossy - most <= rest else { return 1 }
        var term = 1.0
        for number in 0..<lossy - most { term *= Double(rest - number) / Double(exchanges - number) }
        for number in 0..<most {
            let drawn = lossy - most + number
            term *= Double(count - number) / Double(exchanges - drawn) * Double(drawn + 1) / Double(number + 1)
        }
        var sum = term
        for number in stride(from: most, to: max(0, lossy - rest), by: -1) {
            term *= Double(number * (rest - lossy + number)) / Double((count - number + 1) * (lossy - number + 1))
            sum += term
        }
        return sum
    }
}
