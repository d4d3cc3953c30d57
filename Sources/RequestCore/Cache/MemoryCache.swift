public import RequestEngine
internal import Synchronization

/// Keeps answers in memory, up to a total size. It may be used from any thread.
public final class MemoryCache: CacheStorage {
    private let cache: Mutex<CostCache<String, [StoredResponse]>>

    /// - Parameter capacity: The most bytes to keep; beyond it the answers that were not asked for the longest time are
    ///   dropped. An answer of more than three fifths of it is not kept: it would drive out all others.
    public init(capacity: Int = 20 << 20) {
        cache = Mutex(CostCache(capacity: capacity))
    }

    /// The bytes kept now.
    public var usage: Int { cache.withLock { $0.usage } }

    public func responses(for url: String) async -> [StoredResponse] {
        cache.withLock { $0.value(for: url) ?? [] }
    }

    public func store(_ response: StoredResponse) async {
        cache.withLock { cache in
            var variants = (cache.value(for: response.url) ?? []).filter { $0.variant != response.variant }
            if response.cost <= cache.usageAfterPurge { variants.append(response) }
            variants = variants.suffix(StoredResponse.mostVariants)
            // Of what is not kept, its URL would stay for ever.
            guard !variants.isEmpty else {
                _ = cache.remove(response.url)
                return
            }
            var cost = variants.reduce(0) { $0 + $1.cost }
            while cost > cache.usageAfterPurge { cost -= variants.removeFirst().cost }
            cache.insert(variants, for: response.url, cost: cost)
        }
    }

    public func remove(url: String) async {
        cache.withLock { _ = $0.remove(url) }
    }

    public func removeAll() async {
        cache.withLock { $0.removeAll() }
    }
}
