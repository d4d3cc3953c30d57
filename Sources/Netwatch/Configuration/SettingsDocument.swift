import Connectivity

/// The keys of a configuration document.
struct SettingsDocument: Sendable {
    /// What is taken over as it stands.
    let plain: ConnectivityConfiguration
    let targets: [TargetDocument]?
    let rise: Int?
    let fall: Int?
    let nameServers: [String: [String]]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case targets, probes, interval, jitter, retryDelay, timeout, rise, fall, staleIntervals, defaultProbes, damping,
            perInterface, perFamily, policy, uplinkPolicy, nameServers, portalAPIs, metered,
            maximumProbesInFlight, caFile, traffic
    }

    /// - Parameter others: Keys of other readers, which are passed over.
    init(_ root: DocumentNode, besides others: [String] = []) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(root, at: "", expected: "an object", besides: others)
        var plain = ConnectivityConfiguration()
        targets = try Self.targets(values)
        try values.flag(.probes).map { plain.probesEnabled = $0 }
        try values.duration(.interval).map { plain.interval = $0 }
        try values.number(.jitter).map { plain.jitter = $0 }
        try values.duration(.retryDelay).map { plain.retryDelay = $0 }
        try values.duration(.timeout).map { plain.timeout = $0 }
        rise = try values.wholeNumber(.rise)
        fall = try values.wholeNumber(.fall)
        try values.wholeNumber(.staleIntervals).map { plain.staleIntervals = $0 }
        try values.flag(.defaultProbes).map { plain.asksWitnesses = $0 }
        if let node = values.node(.damping) { plain.damping = try DampingDocument(node).damping }
        try values.flag(.perInterface).map { plain.perInterface = $0 }
        try values.flag(.perFamily).map { plain.perFamily = $0 }
        if let node = values.node(.policy) { plain.policy = try PolicyDocument(node).policy }
        try values.word(.uplinkPolicy, UplinkPolicy.allCases).map { plain.uplinkPolicy = $0 }
        nameServers = try Self.nameServers(values)
        try values.stringTable(
            .portalAPIs, expected: "the portals of interfaces, {\"wlan0\": \"https://portal.example/api\"}"
        ).map { plain.portalAPIs = $0 }
        try values.strings(.metered, expected: "a list of interfaces, [\"wwan0\"]").map { plain.metered = $0 }
        try values.wholeNumber(.maximumProbesInFlight).map { plain.maximumProbesInFlight = $0 }
        plain.certificateAuthorityFile = try values.string(.caFile, expected: "the path of a file")
        if let node = values.node(.traffic) { plain.traffic = try TrafficDocument(node).traffic }
        self.plain = plain
    }

    private static func targets(
        _ values: DocumentObject<CodingKeys>
    ) throws(ConfigurationError) -> [TargetDocument]? {
        let expected = "a list of targets, [{\"url\": \"https://example.org/\"}]"
        return try values.list(.targets, expected: expected)?.map { (path, node) throws(ConfigurationError) in
            try TargetDocument(node, at: path)
        }
    }

    private static func nameServers(
        _ values: DocumentObject<CodingKeys>
    ) throws(ConfigurationError) -> [String: [String]]? {
        let expected = "the name servers of interfaces, {\"eth0\": [\"192.0.2.1\"]}"
        guard let members = try values.table(.nameServers, expected: expected) else { return nil }
        var servers: [String: [String]] = [:]
        for member in members {
            servers[member.key] = try member.node.strings(
                at: member.path, expected: "a list of servers, [\"192.0.2.1\"]")
        }
        return servers
    }
}

/// How many targets must be well: `"all"`, `"any"`, `{"quorum": 2}` or `{"weight": 5}`.
struct PolicyDocument: Sendable {
    let policy: ConnectivityPolicy

    enum CodingKeys: String, CodingKey, CaseIterable {
        case quorum, weight
    }

    private static let expected = "\"all\", \"any\", {\"quorum\": 1 or more} or {\"weight\": 1 or more}"

    init(_ node: DocumentNode) throws(ConfigurationError) {
        if let word = node.text, let policy = Self.policies[word] {
            self.policy = policy
            return
        }
        let values = try DocumentObject<CodingKeys>(node, at: "policy", expected: Self.expected)
        switch (try values.wholeNumber(.quorum), try values.wholeNumber(.weight)) {
        case (let number?, nil) where number >= 1: policy = .quorum(number)
        case (nil, let weight?) where weight >= 1: policy = .weight(weight)
        default: throw .invalid(key: "policy", reason: "expected \(Self.expected)")
        }
    }

    private static let policies: [String: ConnectivityPolicy] = ["all": .all, "any": .any]
}
