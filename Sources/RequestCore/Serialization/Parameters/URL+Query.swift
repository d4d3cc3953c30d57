public import FoundationEssentials

extension URL {
    /// This URL with more query after what it has, and before the fragment. An empty query changes nothing.
    public func appendingQuery(_ query: String) throws(RequestSerializationError) -> URL {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let whole = text[..<fragment] + Self.separator(after: text[..<fragment]) + query + text[fragment...]
        guard let url = URL(string: String(whole), encodingInvalidCharacters: false) else {
            throw .invalidURL(String(whole))
        }
        return url
    }

    private static func separator(after text: Substring) -> String {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "?" }
        return text.utf8.index(after: mark) == text.endIndex || text.utf8.last == UInt8(ascii: "&") ? "" : "&"
    }
}
