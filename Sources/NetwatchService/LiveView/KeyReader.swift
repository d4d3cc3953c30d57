/// What a person does to the live view.
enum LiveCommand: Hashable, Sendable {
    case quit
    case scroll(ScrollMovement)
    /// The terminal is looked at, or is not any more.
    case focus(Bool)
}

/// Finds commands in the bytes that a terminal sends. A sequence may come in pieces.
struct KeyReader: Sendable {
    private enum State {
        case plain
        case escape
        /// After `ESC [` or `ESC O`, with the parameters so far.
        case sequence([UInt8])
    }

    /// No sequence of a terminal's has more parameters.
    private static let longest = 16

    private var state = State.plain

    /// The command that a byte completes; nil where it completes none.
    mutating func take(_ byte: UInt8) -> LiveCommand? {
        switch state {
        case .plain: return plain(byte)
        case .escape:
            state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence([]) : .plain
            if byte == 0x1B { state = .escape }
            return nil
        case .sequence(let parameters):
            // ECMA-48: parameters and intermediate bytes up to the final one.
            guard (0x20...0x3F).contains(byte), parameters.count < Self.longest else {
                state = byte == 0x1B ? .escape : .plain
                return Self.command(of: byte, parameters)
            }
            state = .sequence(parameters + [byte])
            return nil
        }
    }

    private mutating func plain(_ byte: UInt8) -> LiveCommand? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
        case UInt8(ascii: "j"): return .scroll(.lines(1))
        case UInt8(ascii: "k"): return .scroll(.lines(-1))
        case UInt8(ascii: " "): return .scroll(.pages(1))
        case UInt8(ascii: "b"): return .scroll(.pages(-1))
        case UInt8(ascii: "g"): return .scroll(.start)
        case UInt8(ascii: "G"): return .scroll(.end)
        default: return nil
        }
    }

    private static func command(of final: UInt8, _ parameters: [UInt8]) -> LiveCommand? {
        switch (final, String(decoding: parameters, as: UTF8.self)) {
        case (UInt8(ascii: "A"), _): .scroll(.lines(-1))
        case (UInt8(ascii: "B"), _): .scroll(.lines(1))
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .scroll(.start)
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .scroll(.end)
        case (UInt8(ascii: "~"), "5"): .scroll(.pages(-1))
        case (UInt8(ascii: "~"), "6"): .scroll(.pages(1))
        case (UInt8(ascii: "I"), ""): .focus(true)
        case (UInt8(ascii: "O"), ""): .focus(false)
        default: nil
        }
    }
}
