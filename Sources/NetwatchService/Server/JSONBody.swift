import FoundationEssentials

/// Values as JSON for people and programs alike: sorted keys, two blanks a level.
enum JSONBody {
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }
}
