/// Knows whether there is a path to the network. The program gives it: this module knows nothing of links and routes.
public protocol PathSource: Sendable {
    /// A stream that begins with whether there is a path now, and tells each change.
    func paths() -> AsyncStream<Bool>
}
