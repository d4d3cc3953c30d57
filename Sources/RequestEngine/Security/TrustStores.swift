internal import Synchronization

/// Stores of trusted certificates by what they are made of. Each is read once, and again when its files change:
/// authorities are withdrawn while a service runs.
///
/// Several sessions may share it, on whatever threads.
package final class TrustStores: Sendable {
    private let stores = Mutex<[TrustAnchors: TrustStore]>([:])
    private static let limit = 256

    package init() {}

    func store(of anchors: TrustAnchors) throws(SecurityError) -> TrustStore {
        if let store = stores.withLock({ $0[anchors] }), store.isCurrent { return store }
        let store = try TrustStore(anchors)
        stores.withLock { stores in
            // Anchors without end must not take memory without end.
            if stores.count >= Self.limit { stores = [:] }
            stores[anchors] = store
        }
        return store
    }
}
