import TestSupport

extension SeededGenerator {
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
