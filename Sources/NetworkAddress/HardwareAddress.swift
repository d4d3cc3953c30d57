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
        String(unsafeUninitializedCapacity: longestText, initializingUTF8With: write)
    }

    /// How many bytes there must be room for to write the text form.
    package var longestText: Int { 3 * bytes.count }

    /// Writes the text form into memory with room for ``longestText`` bytes.
    ///
    /// - Returns: How many bytes it has.
    package func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in bytes {
            if count > 0 { text.put(UInt8(ascii: ":"), at: &count) }
            text.putHexadecimal(byte, at: &count)
        }
        return count
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
