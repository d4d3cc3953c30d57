internal import NetworkAddress

/// Which of several ways out are not well, and which are: `nothing answers over eth1; eth0 is well`.
struct WayWords {
    private let bad: [UplinkVerdict]
    private let good: [UplinkVerdict]

    /// - Parameter uplinks: What the probes over each way say. Those that are in use count, and the others where they alone are
    ///   not well.
    init(_ uplinks: [UplinkVerdict]) {
        let known = uplinks.filter { $0.connectivity != .unknown }
        let failing = known.filter { $0.connectivity != .full }
        let used = failing.filter(\.isActive)
        let worst = (used.isEmpty ? failing : used).min { $0.connectivity.rank < $1.connectivity.rank }
        bad = (used.isEmpty ? failing : used).filter { $0.connectivity == worst?.connectivity }
        good = known.filter { $0.connectivity == .full }
    }

    /// Nil where no way is well beside one that is not, so that they need not be told apart.
    var sentence: String? {
        guard let first = bad.first, !good.isEmpty else { return nil }
        let what =
            switch first.connectivity {
            case .limited: Self.shortfall(first.reason)
            case .portal: "a portal answers in the place of others"
            case .none, .local, .full, .unknown: "nothing answers"
            }
        return isFamily
            ? "\(what) by \(families(bad))\(over(bad)); by \(families(good)) all is well"
            : "\(what) over \(names(bad)); \(names(good)) \(names(good).contains(" and ") ? "are" : "is") well"
    }

    /// How it is with each of some ways; nil where there are none.
    static func each(_ uplinks: [UplinkVerdict]) -> String? {
        let words = uplinks.map { uplink in
            let family = uplink.family.map { " by \($0.words)" } ?? ""
            let what =
                switch uplink.connectivity {
                case .full: "what was asked answers"
                case .limited: shortfall(uplink.reason)
                case .portal: "a portal answers in the place of others"
                case .none, .local: "nothing answers"
                case .unknown: "what was asked has not answered yet"
                }
            return "\(what) over \(uplink.interface ?? "the route")\(family)"
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// What is wrong with a way that is not dead.
    static func shortfall(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .lossy: "too much is lost"
        case .slow: "answers are much later than they used to be"
        case .ipv4Failed: "nothing answers by IPv4"
        case .ipv6Failed: "nothing answers by IPv6"
        case .secureFailed: "plain HTTP is answered, and HTTPS is not,"
        default: "some of what was asked does not answer"
        }
    }

    /// Whether all of one family are well, and none of the other.
    private var isFamily: Bool {
        let (failing, well) = (Set(bad.map(\.family)), Set(good.map(\.family)))
        return failing.count == 1 && well.count == 1 && failing != well && !failing.union(well).contains(nil)
    }

    /// By which interfaces; nothing where that is the route's to say.
    private func over(_ uplinks: [UplinkVerdict]) -> String {
        let interfaces = Self.list(uplinks.compactMap(\.interface))
        return interfaces.isEmpty ? "" : " over \(interfaces)"
    }

    private func families(_ uplinks: [UplinkVerdict]) -> String {
        Self.list(uplinks.compactMap(\.family).map(\.words))
    }

    /// The interfaces; with the family, where the same interface is among the others, too.
    private func names(_ uplinks: [UplinkVerdict]) -> String {
        let both = Set(bad.map(\.interface)).intersection(good.map(\.interface))
        return Self.list(
            uplinks.map { uplink in
                let family = both.contains(uplink.interface) ? uplink.family.map { " by \($0.words)" } : nil
                return (uplink.interface ?? "the route") + (family ?? "")
            })
    }

    /// Each once.
    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.joined(separator: " and ")
    }
}
