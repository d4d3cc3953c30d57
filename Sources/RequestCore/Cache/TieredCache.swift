public import RequestEngine

/// A small fast cache in front of a large slow one: what is found in the second is copied into the first.
public struct TieredCache: CacheStorage {
    private let first: any CacheStorage
    private let second: any CacheStorage

    public init(_ first: any CacheStorage, _ second: any CacheStorage) {
        self.first = first
        self.second = second
    }

    public func responses(for url: String) async -> [StoredResponse] {
        let near = await first.responses(for: url)
        guard near.isEmpty else { return near }
        let far = await second.responses(for: url)
        guard !far.isEmpty else { return far }
        for response in far { await first.store(response) }
        // What was dropped or replaced meanwhile must not come back.
        let present = await second.responses(for: url)
        if present != far { await first.remove(url: url) }
        return present
    }

    public func store(_ response: StoredResponse) async {
        // The second is asked only where the first has nothing of a URL: what the first has of one has to be all.
        if await first.responses(for: response.url).isEmpty { _ = await responses(for: response.url) }
        await second.store(response)
        await first.store(response)
    }

    public func remove(url: String) async {
        await second.remove(url: url)
        await first.remove(url: url)
    }

    public func removeAll() async {
        await second.removeAll()
        await first.removeAll()
    }
}
