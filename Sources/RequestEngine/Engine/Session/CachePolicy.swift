/// What a request wants of the cache.
public enum CachePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// What RFC 9111 says: an answer that is fresh, else the server's.
    case standard
    /// The server's answer, whatever the cache holds. It is stored.
    case reload
    /// What the cache holds, however old it is; else the server's answer.
    case cacheElseLoad
    /// What the cache holds, however old it is, and nothing else: status 504 if it holds nothing, and for what it never
    /// holds, such as the answer to a `POST` or a stream.
    case cacheOnly
}

/// Where an answer came from.
public enum CacheUse: String, Hashable, Sendable, Codable {
    /// From the cache, without asking the server.
    case hit
    /// From the cache, after the server has said that it is still right.
    case revalidated
    /// From the cache though it is too old, because the server could not answer.
    case staleOnError
    /// From the server.
    case miss
}
