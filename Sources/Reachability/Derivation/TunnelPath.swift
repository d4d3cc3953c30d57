/// How the packets leave this host that a tunnel sends of its own, or that a VRF is given.
package enum TunnelPath: Hashable, Sendable {
    /// By this link.
    case by(UInt32)
    /// Not at all: what enters goes nowhere.
    case none
    /// It cannot be told, as in a container whose tunnel has its other half outside.
    case unknown

    var index: UInt32? {
        if case .by(let index) = self { index } else { nil }
    }
}
