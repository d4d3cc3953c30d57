/// Numbers that are the same in every run (SplitMix64), so that a failure can be seen again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A text of up to this many scalars from all planes, ASCII and control characters more often than others.
    mutating func text(maximum: Int) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...maximum, using: &self) {
            let limit: UInt32 = [0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &self) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    mutating func bytes(maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
