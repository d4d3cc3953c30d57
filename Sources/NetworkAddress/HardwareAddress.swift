/// A link-layer address of any length: six bytes on Ethernet and Wi-Fi, up to 32 elsewhere.
public struct HardwareAddress: Hashable, Sendable {
    /// The bytes as the kernel gives them.
    public let bytes: [UInt8]

    public init(bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
    }
}

extension HardwareAddress: LosslessStringConvertible {
    /// An address from pairs of hexadecimal digits between colons.
    public init?(_ description: String) {
        var bytes: [UInt8] = []
        for pair in description.split(separator: ":", omittingEmptySubsequences: false) {
            guard pair.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// Lower-case pairs between colons, as `ip link` prints them.
    public var description: String {
        String(upTo: longestText, write)
    }

    /// How many bytes there must be room for to write the text form.
    package var longestText: Int { 3 * bytes.count }

    /// Appends the text form, for which there has to be room.
    package func write(to text: inout OutputSpan<UInt8>) {
        for index in bytes.indices {
            if index > 0 { text.append(UInt8(ascii: ":")) }
            text.appendHexadecimal(bytes[index])
        }
    }
}

extension HardwareAddress: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText("a hardware address")
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encodeText(self)
    }
}
