public import FoundationEssentials
public import RequestEngine

/// The URL that a session's references are relative to (RFC 3986 section 5).
///
/// A path that does not end in `/` gets one, so that what stands in it is not replaced: below `http://host/v1` the
/// reference `users` is `http://host/v1/users`. An empty path stays empty, and a query stays where it is.
public struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    public let url: URL

    /// Takes an absolute `http` or `https` URL.
    public init(_ url: URL) throws(RequestError) {
        guard url.isAbsoluteHTTP else {
            throw RequestError(.invalidURL(url.absoluteString, problem: "is not an absolute http or https URL"))
        }
        self.url = try Self.endingInSlash(url.absoluteURL)
    }

    public init(_ text: String) throws(RequestError) {
        guard let url = URL.reading(text) else {
            throw RequestError(.invalidURL(text, problem: "is not a URL"))
        }
        try self.init(url)
    }

    public var description: String { url.absoluteString }

    /// The absolute URL that a reference names from here; the empty one names the base itself.
    public func resolve(_ reference: String) throws(RequestError) -> URL {
        // Foundation takes the empty reference for none.
        guard !reference.isEmpty else { return url }
        // It would also mend what is no reference.
        let strict = URLText(reference).asciiText
        guard URL(string: strict, encodingInvalidCharacters: false) != nil,
            let resolved = URL(string: strict, relativeTo: url)?.absoluteURL
        else {
            throw RequestError(.invalidURL(reference, problem: "is not a URL reference"))
        }
        guard resolved.isAbsoluteHTTP else {
            throw RequestError(.invalidURL(reference, problem: "leads to neither http nor https"))
        }
        return resolved
    }

    /// The URL that a text is, where there is nothing for it to be relative to.
    static func absolute(_ text: String) throws(RequestError) -> URL {
        guard let url = URL.reading(text), url.isAbsoluteHTTP else {
            throw RequestError(.invalidURL(text, problem: "is not an absolute http or https URL"))
        }
        return url
    }

    private static func endingInSlash(_ url: URL) throws(RequestError) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        let path = components.percentEncodedPath
        guard !path.isEmpty, !path.hasSuffix("/") else { return url }
        components.percentEncodedPath = path + "/"
        guard let slashed = components.url else {
            throw RequestError(.invalidURL(url.absoluteString, problem: "has a path that cannot be a folder"))
        }
        return slashed
    }
}
