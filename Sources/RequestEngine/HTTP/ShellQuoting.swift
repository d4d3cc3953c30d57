/// Words of a POSIX shell (IEEE Std 1003.1, Shell Command Language, section 2.2.2).
package enum ShellQuoting {
    /// The text as one word: as it is where no character of it means anything, else in single quotes, within which
    /// only the single quote itself does.
    package static func quote(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
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
