internal import FoundationEssentials
public import RequestEngine
internal import Synchronization

/// Keeps answers in memory, up to a total cost; those that were not used for the longest time are let go of first.
public final class MemoryDownloadCache<Value: Sendable>: DownloadCache {
    private let answers: Mutex<CostCache<DownloadKey, TypedResponse<Value>>>
    private let cost: @Sendable (TypedResponse<Value>) -> Int
    private let shouldKeep: @Sendable (TypedResponse<Value>, Request) -> Bool

    /// - Parameters:
    ///   - capacity: The most that all answers may cost; beyond it they are purged to six tenths of it.
    ///   - cost: What an answer costs. Unless something else is given, the bytes of its body, its URL and its header,
    ///     and 1 KiB for what is kept beside them. Below nought counts as nought.
    ///   - shouldKeep: Asked for each answer before it is kept.
    public init(
        capacity: Int = 100 << 20, cost: (@Sendable (TypedResponse<Value>) -> Int)? = nil,
        shouldKeep: @escaping @Sendable (TypedResponse<Value>, Request) -> Bool = { _, _ in true }
    ) {
        answers = Mutex(CostCache(capacity: capacity))
        self.cost = cost ?? { Self.bytesKept(of: $0.response) }
        self.shouldKeep = shouldKeep
    }

    /// What all answers cost now.
    public var usage: Int { answers.withLock { $0.usage } }

    public func answer(to request: Request) -> TypedResponse<Value>? {
        guard let key = DownloadKey(request) else { return nil }
        return answers.withLock { $0.value(for: key) }
    }

    public func shouldKeep(_ answer: TypedResponse<Value>, to request: Request) -> Bool {
        shouldKeep(answer, request)
    }

    public func keep(_ answer: TypedResponse<Value>, to request: Request) {
        guard let key = DownloadKey(request) else { return }
        let cost = cost(answer)
        answers.withLock { _ = $0.insert(answer, for: key, cost: cost) }
    }

    @discardableResult
    public func remove(_ request: Request) -> Bool {
        guard let key = DownloadKey(request) else { return false }
        return answers.withLock { $0.remove(key) }
    }

    public func removeAll() {
        answers.withLock { $0.removeAll() }
    }

    /// About the bytes that it takes to keep an answer. Without a body it takes some, too: none is kept for nothing.
    private static func bytesKept(of response: Response) -> Int {
        response.headers.reduce(1024 + response.body.count + response.url.absoluteString.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}
