import RequestEngine

/// Keeps answers. It may drop any of them at any time.
public protocol CacheStorage: Sendable {
    /// The answers kept for a URL: one for each variant.
    func responses(for url: String) async -> [StoredResponse]

    /// Keeps an answer, in the place of one of the same URL and variant.
    func store(_ response: StoredResponse) async

    /// Drops what is kept for a URL.
    func remove(url: String) async

    /// Drops everything.
    func removeAll() async
}
