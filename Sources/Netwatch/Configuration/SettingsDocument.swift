import Connectivity

/// The keys of a configuration document.
struct SettingsDocument: Decodable, Sendable {
    var targets: [TargetDocument]?
    var probes: Bool?
    var interval: Double?
    var retryDelay: Double?
    var timeout: Double?
    var rise: Int?
    var fall: Int?
    var perInterface: Bool?
    var perFamily: Bool?
    var caFile: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case targets, probes, interval, retryDelay, timeout, rise, fall, perInterface, perFamily, caFile
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        targets = try values.decodeIfPresent([TargetDocument].self, forKey: .targets)
        probes = try values.decodeIfPresent(Bool.self, forKey: .probes)
        interval = try values.decodeIfPresent(Double.self, forKey: .interval)
        retryDelay = try values.decodeIfPresent(Double.self, forKey: .retryDelay)
        timeout = try values.decodeIfPresent(Double.self, forKey: .timeout)
        rise = try values.decodeIfPresent(Int.self, forKey: .rise)
        fall = try values.decodeIfPresent(Int.self, forKey: .fall)
        perInterface = try values.decodeIfPresent(Bool.self, forKey: .perInterface)
        perFamily = try values.decodeIfPresent(Bool.self, forKey: .perFamily)
        caFile = try values.decodeIfPresent(String.self, forKey: .caFile)
    }
}

extension Decoder {
    /// A container of known keys, after a look at what else is there.
    func container<Keys: CodingKey & CaseIterable>(
        refusingOthersThan keys: Keys.Type
    ) throws -> KeyedDecodingContainer<Keys> {
        let known = Set(Keys.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            let error = ConfigurationError.unknownKey(
                ConfigurationError.path(codingPath + [key]), known: known.sorted())
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath + [key], debugDescription: "unknown key", underlyingError: error))
        }
        return try container(keyedBy: Keys.self)
    }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
