package import FoundationEssentials

extension URL {
    /// The host in ASCII, without the brackets of an IPv6 address; nil where there is none, or one that cannot be.
    ///
    /// Foundation writes a name beyond ASCII with percent signs, unless its larger part is there too, and then in Punycode.
    package var asciiHost: String? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        guard !host.contains(":") else { return host }
        return self.host(percentEncoded: false).flatMap(InternationalName.ascii)
    }

    /// Reads a URL or a reference to one in which nothing has to be mended but a host beyond ASCII.
    package static func reading(_ text: String) -> URL? {
        URL(string: URLText(text).asciiText, encodingInvalidCharacters: false)
    }

    /// Reads where a server leads, mending what no URL may hold. Of what needs that, Foundation would escape again what is
    /// escaped already.
    package static func following(_ text: String, from base: URL) -> URL? {
        URL(string: URLText(text).mendedText, relativeTo: base)?.absoluteURL
    }
}

/// A URL, or a reference with a host, as text of which the host can be replaced.
package struct URLText {
    private let text: String
    /// Nil where there is no host, or an address in brackets.
    private let host: Range<String.Index>?

    package init(_ text: String) {
        self.text = text
        host = Self.host(in: text)
    }

    /// The same with its host in ASCII; as it is where that cannot be.
    package var asciiText: String {
        guard let host, let bytes = PercentEncoding.unescape(text[host]),
            let name = String(validating: bytes, as: UTF8.self), let ascii = InternationalName.ascii(name)
        else { return text }
        return replacingHost(by: ascii)
    }

    func replacingHost(by other: String) -> String {
        guard let host, text[host] != other else { return text }
        return "\(text[..<host.lowerBound])\(other)\(text[host.upperBound...])"
    }

    /// The same with the path, the query and the fragment escaped where they have to be.
    var mendedText: String {
        let start = Self.authority(in: text)?.endIndex ?? text.startIndex
        return text[..<start] + PercentEncoding.mend(text[start...])
    }

    private static func authority(in text: String) -> Substring.UTF8View? {
        let bytes = text.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), bytes[slash...].starts(with: "//".utf8),
            slash == bytes.startIndex || bytes[..<slash].last == UInt8(ascii: ":")
        else { return nil }
        return bytes[bytes.index(slash, offsetBy: 2)...].prefix { !ends.contains($0) }
    }

    private static func host(in text: String) -> Range<String.Index>? {
        guard let authority = authority(in: text) else { return nil }
        let bytes = text.utf8
        let name = authority.lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? authority.startIndex
        guard bytes[name...].first != UInt8(ascii: "[") else { return nil }
        let end = bytes[name..<authority.endIndex].lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        return name..<end
    }

    private static let ends = ByteSet("/?#")
}
