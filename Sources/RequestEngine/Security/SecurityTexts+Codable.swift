/// What is written as one text, in a configuration as on the command line.
extension PublicKeyPin: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(SecurityError) in try PublicKeyPin(text) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(text: description)
    }
}

extension HostPattern: Codable, CodingKeyRepresentable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(SecurityError) in try HostPattern(text) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(text: description)
    }

    public var codingKey: any CodingKey { TextKey(stringValue: description) }

    public init?(codingKey: some CodingKey) {
        try? self.init(codingKey.stringValue)
    }
}
