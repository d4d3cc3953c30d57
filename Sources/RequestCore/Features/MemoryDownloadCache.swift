public import RequestEngine
internal import Synchronization

/// Keeps answers in memory, up to a total cost; those that were not used for the longest time are let go of first.
public final class MemoryDownloadCache<Value: Sendable>: DownloadCache {
    private let answers: Mutex<CostCache<DownloadKey, TypedResponse<Value>>>
    private let cost: @Sendable (TypedResponse<Value>) -> Int
    private let shouldKeep: @Sendable (TypedResponse<Value>, Request) -> Bool

    /// - Parameters:
    ///   - capacity: The most that all answers may cost; beyond it they are purged to six tenths of it.
    ///   - cost: What an answer costs, the bytes of its body unless something else is given. Below nought counts as nought.
    ///   - shouldKeep: Asked for each answer before it is kept.
    public init(
        capacity: Int = 100 << 20, cost: (@Sendable (TypedResponse<Value>) -> Int)? = nil,
        shouldKeep: @escaping @Sendable (TypedResponse<Value>, Request) -> Bool = { _, _ in true }
    ) {
        answers = Mutex(CostCache(capacity: capacity))
        self.cost = cost ?? { $0.response.body.count }
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
}
