/// How a tunnel's own packets leave this host.
package enum TunnelPath: Hashable, Sendable {
    /// By this link.
    case by(UInt32)
    /// Not at all: what enters the tunnel goes nowhere.
    case none
    /// It cannot be told, as in a container whose tunnel has its other half outside.
    case unknown

    var index: UInt32? {
        if case .by(let index) = self { index } else { nil }
    }
}
