/// Where a redirect from plain HTTP leads, read as browsers do (the URL standard, 4.4): a backslash is a slash, two or more of
/// them go before a host, and the scheme that the page itself has says nothing where fewer do.
package struct RedirectPlace {
    /// Whether it needs no other address to be read, however little of one it is: it has a scheme that says something.
    package let isAbsolute: Bool
    /// The host that it names, without brackets; nil where it names none.
    let host: String?
    /// The same as RFC 3986 writes what is relative (4.2).
    package let reference: String

    package init(_ location: String) {
        let text = location.drop { $0 == " " || $0 == "\t" }
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let hasScheme = word.first?.isLetter == true && text[word.endIndex...].hasPrefix(":")
        let scheme = hasScheme ? String(word).lowercasedASCII() : nil
        let rest = hasScheme ? text[word.endIndex...].dropFirst() : text
        let written = rest.prefix { $0 != "?" && $0 != "#" }
        let path = String(written.map { $0 == "\\" ? "/" : $0 })
        let slashes = path.prefix { $0 == "/" }.count
        let namesHost = scheme == "https" || slashes >= 2
        isAbsolute = scheme.map { namesHost || $0 != "http" } ?? false
        host = namesHost ? Self.host(of: path.dropFirst(slashes)) : nil
        reference = (namesHost ? "//" + path.dropFirst(slashes) : path) + rest[written.endIndex...]
    }

    private static func host(of text: Substring) -> String {
        var place = text.prefix { $0 != "/" }
        if let at = place.lastIndex(of: "@") { place = place[place.index(after: at)...] }
        let host = place.hasPrefix("[") ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
        return String(host).lowercasedASCII()
    }
}
