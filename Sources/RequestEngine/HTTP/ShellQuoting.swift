/// Words of a POSIX shell (IEEE Std 1003.1, Shell Command Language, section 2.2.2).
package enum ShellQuoting {
    /// The text as one word: as it is where no character of it means anything, else in single quotes, within which
    /// only the single quote itself does.
    package static func quote(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        // Not by characters: a quote that bears a mark is another one, and ends the shell's quotes all the same.
        let quoted = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
        return "'\(String(decoding: quoted, as: UTF8.self))'"
    }

    /// The format of printf(1) that writes these bytes, NUL and all.
    package static func printfFormat(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }

    private static let plain = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:=,@%+")
}
