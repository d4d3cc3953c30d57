/// Knows whether there is a path to the network. The program gives it: this module knows nothing of links and routes. In
/// the module Netwatch, a `PathMonitor` is one.
public protocol PathSource: Sendable {
    associatedtype Paths: AsyncSequence<Bool, Never>

    /// A sequence that begins with whether there is a path now, and tells each change.
    func paths() -> Paths
}
