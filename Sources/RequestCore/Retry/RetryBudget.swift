internal import Synchronization

/// Limits retries to a part of all requests, so that a service in trouble is not asked several times as often as usual.
///
/// Each first attempt pays in, each retry takes out. It is shared by the policies that it is given to.
public final class RetryBudget: Sendable {
    private let ratio: Double
    private let capacity: Double
    private let balance: Mutex<Double>

    /// - Parameters:
    ///   - ratio: How many retries each request allows.
    ///   - reserve: How many retries there may be at once, whatever came before.
    public init(ratio: Double = 0.1, reserve: Double = 10) {
        self.ratio = ratio
        capacity = max(1, reserve)
        balance = Mutex(capacity)
    }

    /// How many retries are left now.
    public var available: Double { balance.withLock { $0 } }

    func deposit() {
        balance.withLock { $0 = min(capacity, $0 + ratio) }
    }

    func withdraw() -> Bool {
        balance.withLock { balance in
            guard balance >= 1 else { return false }
            balance -= 1
            return true
        }
    }
}
