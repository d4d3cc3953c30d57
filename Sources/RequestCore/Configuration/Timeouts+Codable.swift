public import RequestEngine

extension Timeouts: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case connect, idle, total
    }

    /// Seconds, as `{"connect": 5, "total": 12.5}`; null for no limit of one's own.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, standard: Timeouts())
    }

    init(from decoder: any Decoder, standard: Timeouts) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func limit(_ key: CodingKeys, _ standard: Duration?) throws -> Duration? {
            guard container.contains(key) else { return standard }
            guard let seconds = try container.decode(Double?.self, forKey: key) else { return nil }
            guard seconds > 0, seconds <= Self.longest else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(seconds) is no time in seconds up to a year")
            }
            return .seconds(seconds)
        }
        self.init(
            connect: try limit(.connect, standard.connect), idle: try limit(.idle, standard.idle),
            total: try limit(.total, standard.total))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(connect.map { $0 / .seconds(1) }, forKey: .connect)
        try container.encode(idle.map { $0 / .seconds(1) }, forKey: .idle)
        try container.encode(total.map { $0 / .seconds(1) }, forKey: .total)
    }

    private static let longest = 365 * 86400.0
}
