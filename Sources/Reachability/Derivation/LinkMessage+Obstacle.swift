import Netlink

extension LinkMessage {
    /// Whether it is a line by PPP, which tunnels may run over.
    var isLine: Bool { kind == "ppp" || type == LinkType.ppp }

    /// Why nothing can leave by this link, as far as its own state tells; nil where nothing stands in the way.
    ///
    /// A link coming up is told in several messages. It is usable with the last of them: up, lower layer up, and
    /// operationally up, or of a driver that does not tell (RFC 2863, `Documentation/networking/operstates.rst`).
    var obstacle: PathReason? {
        guard flags.contains(.up) else { return .adminDown }
        guard flags.contains(.lowerUp) else { return .noCarrier }
        switch operationalState {
        case .up, .unknown: return nil
        case .dormant: return .dormant
        case .down, .lowerLayerDown, .notPresent, .testing: return .noCarrier
        }
    }
}
