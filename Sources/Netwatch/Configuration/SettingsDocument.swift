import Connectivity

/// The keys of a configuration document.
struct SettingsDocument: Decodable, Sendable {
    var targets: [TargetDocument]?
    var probes: Bool?
    var interval: Double?
    var jitter: Double?
    var retryDelay: Double?
    var timeout: Double?
    var rise: Int?
    var fall: Int?
    var staleIntervals: Int?
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
        case targets, probes, interval, jitter, retryDelay, timeout, rise, fall, staleIntervals, damping,
            perInterface, perFamily, policy, uplinkPolicy, nameServers, portalAPIs, metered,
            maximumProbesInFlight, caFile, traffic
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        targets = try values.decodeIfPresent([TargetDocument].self, forKey: .targets)
        probes = try values.decodeIfPresent(Bool.self, forKey: .probes)
        interval = try values.decodeIfPresent(Double.self, forKey: .interval)
        jitter = try values.decodeIfPresent(Double.self, forKey: .jitter)
        retryDelay = try values.decodeIfPresent(Double.self, forKey: .retryDelay)
        timeout = try values.decodeIfPresent(Double.self, forKey: .timeout)
        rise = try values.wholeNumber(forKey: .rise)
        fall = try values.wholeNumber(forKey: .fall)
        staleIntervals = try values.wholeNumber(forKey: .staleIntervals)
        damping = try values.decodeIfPresent(DampingDocument.self, forKey: .damping)
        perInterface = try values.decodeIfPresent(Bool.self, forKey: .perInterface)
        perFamily = try values.decodeIfPresent(Bool.self, forKey: .perFamily)
        policy = try values.decodeIfPresent(PolicyDocument.self, forKey: .policy)
        uplinkPolicy = try values.word(UplinkPolicy.self, forKey: .uplinkPolicy)
        nameServers = try values.decodeIfPresent([String: [String]].self, forKey: .nameServers)
        portalAPIs = try values.decodeIfPresent([String: String].self, forKey: .portalAPIs)
        metered = try values.decodeIfPresent([String].self, forKey: .metered)
        maximumProbesInFlight = try values.wholeNumber(forKey: .maximumProbesInFlight)
        caFile = try values.decodeIfPresent(String.self, forKey: .caFile)
        traffic = try values.decodeIfPresent(TrafficDocument.self, forKey: .traffic)
    }
}

/// How many targets must be well: `"all"`, `"any"`, `{"quorum": 2}` or `{"weight": 5}`.
struct PolicyDocument: Decodable, Sendable {
    let policy: ConnectivityPolicy

    enum CodingKeys: String, CodingKey, CaseIterable {
        case quorum, weight
    }

    init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            policy = try Self.policy(word, decoder)
            return
        }
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        let quorum = try values.wholeNumber(forKey: .quorum)
        let weight = try values.wholeNumber(forKey: .weight)
        switch (quorum, weight) {
        case (let number?, nil) where number >= 1: policy = .quorum(number)
        case (nil, let weight?) where weight >= 1: policy = .weight(weight)
        default: throw Self.mistake(decoder)
        }
    }

    private static func policy(_ word: String, _ decoder: any Decoder) throws -> ConnectivityPolicy {
        switch word {
        case "all": return .all
        case "any": return .any
        default: throw mistake(decoder)
        }
    }

    private static func mistake(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "expected \"all\", \"any\", {\"quorum\": 1 or more} or {\"weight\": 1 or more}"))
    }
}
