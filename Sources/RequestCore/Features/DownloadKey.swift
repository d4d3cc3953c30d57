import RequestEngine

/// What makes requests one to a ``Downloader``: those that ask for the same in the same way, and send nothing.
struct DownloadKey: Hashable, Sendable {
    private let identity: RequestIdentity

    /// Nil for a request that sends something, or goes a way of its own: it is never another one's.
    init?(_ request: Request) {
        var loaded = request
        loaded.cachePolicy = nil
        guard request.interceptors.isEmpty, let identity = RequestIdentity(loaded) else { return nil }
        self.identity = identity
    }
}
