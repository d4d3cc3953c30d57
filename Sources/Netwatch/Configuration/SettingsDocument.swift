import Connectivity

/// The keys of a configuration document.
struct SettingsDocument: Sendable {
    var targets: [TargetDocument]?
    var probes: Bool?
    var interval: Duration?
    var jitter: Double?
    var retryDelay: Duration?
    var timeout: Duration?
    var rise: Int?
    var fall: Int?
    var staleIntervals: Int?
    var defaultProbes: Bool?
    var damping: DampingDocument?
    var perInterface: Bool?
    var perFamily: Bool?
    var policy: PolicyDocument?
    var uplinkPolicy: UplinkPolicy?
    var nameServers: [String: [String]]?
    var portalAPIs: [String: String]?
    var metered: [String]?
    var maximumProbesInFlight: Int?
    var caFile: String?
    var traffic: TrafficDocument?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case targets, probes, interval, jitter, retryDelay, timeout, rise, fall, staleIntervals, defaultProbes, damping,
            perInterface, perFamily, policy, uplinkPolicy, nameServers, portalAPIs, metered,
            maximumProbesInFlight, caFile, traffic
    }

    /// - Parameter others: Keys of other readers, which are passed over.
    init(_ root: DocumentNode, besides others: [String] = []) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(root, at: "", expected: "an object", besides: others)
        targets = try Self.targets(values)
        probes = try values.flag(.probes)
        interval = try values.duration(.interval)
        jitter = try values.number(.jitter)
        retryDelay = try values.duration(.retryDelay)
        timeout = try values.duration(.timeout)
        rise = try values.wholeNumber(.rise)
        fall = try values.wholeNumber(.fall)
        staleIntervals = try values.wholeNumber(.staleIntervals)
        defaultProbes = try values.flag(.defaultProbes)
        damping = try values.node(.damping).map { (node) throws(ConfigurationError) in try DampingDocument(node) }
        perInterface = try values.flag(.perInterface)
        perFamily = try values.flag(.perFamily)
        policy = try values.node(.policy).map { (node) throws(ConfigurationError) in try PolicyDocument(node) }
        uplinkPolicy = try values.word(.uplinkPolicy, UplinkPolicy.allCases)
        nameServers = try Self.nameServers(values)
        portalAPIs = try values.stringTable(
            .portalAPIs, expected: "the portals of interfaces, {\"wlan0\": \"https://portal.example/api\"}")
        metered = try values.strings(.metered, expected: "a list of interfaces, [\"wwan0\"]")
        maximumProbesInFlight = try values.wholeNumber(.maximumProbesInFlight)
        caFile = try values.string(.caFile, expected: "the path of a file")
        traffic = try values.node(.traffic).map { (node) throws(ConfigurationError) in try TrafficDocument(node) }
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
