public import RequestEngine

/// Where a ``Downloader`` keeps answers, and whether it does. ``MemoryDownloadCache`` is what it has unless another is given.
public protocol DownloadCache<Value>: Sendable {
    associatedtype Value: Sendable

    /// The answer that is kept for a request.
    func answer(to request: Request) async -> TypedResponse<Value>?

    /// Asked for each answer before it is kept.
    func shouldKeep(_ answer: TypedResponse<Value>, to request: Request) async -> Bool

    /// Keeps an answer in the place of an older one.
    func keep(_ answer: TypedResponse<Value>, to request: Request) async

    /// Lets go of the answer to a request; whether there was one.
    @discardableResult
    func remove(_ request: Request) async -> Bool

    func removeAll() async
}

extension DownloadCache {
    public func shouldKeep(_ answer: TypedResponse<Value>, to request: Request) async -> Bool { true }
}
