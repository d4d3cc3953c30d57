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
        let isAll = await firstHolds(present, of: url)
        if present != far || !isAll { await first.remove(url: url) }
        return present
    }

    public func store(_ response: StoredResponse) async {
        let url = response.url
        // The second is asked only where the first has nothing of a URL: what the first has of one has to be all.
        let others = await responses(for: url).filter { $0.variant != response.variant }
        await second.store(response)
        await first.store(response)
        // Of too many variants both have dropped the oldest. One that the first has dropped for lack of room is still
        // in the second, which is to be asked then.
        let all = Array((others + [response]).suffix(StoredResponse.mostVariants))
        if await firstHolds(all, of: url) { return }
        let kept = await second.responses(for: url)
        if await !firstHolds(kept, of: url) { await first.remove(url: url) }
    }

    private func firstHolds(_ responses: [StoredResponse], of url: String) async -> Bool {
        let variants = Set(await first.responses(for: url).map(\.variant))
        return responses.allSatisfy { variants.contains($0.variant) }
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
