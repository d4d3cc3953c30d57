import Glibc

/// What a program calls itself (RFC 9110 section 10.1.5).
public struct UserAgent: Hashable, Sendable, CustomStringConvertible {
    /// Such as `netwatch/1.0 (Linux 6.1.0; x86_64)`.
    public let description: String

    /// A name and version, with the kernel's release and the machine. What is not printable ASCII is left out.
    public init(product: String, version: String?) {
        var system = utsname()
        unsafe uname(&system)
        let program = product + (version.map { "/\($0)" } ?? "")
        description = Self.printable("\(program) (Linux \(Self.text(system.release)); \(Self.text(system.machine)))")
    }

    /// The name of the running program, which tells no version of its own.
    public static var program: UserAgent {
        let path = CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map { String($0.filter { Token.isToken(String($0)) }) } ?? ""
        return UserAgent(product: name.isEmpty ? "netwatch" : name, version: nil)
    }

    private static func printable(_ text: String) -> String {
        String(decoding: text.utf8.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    }

    /// The text in a fixed array of `utsname`, up to its NUL.
    private static func text(_ field: some Any) -> String {
        unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
