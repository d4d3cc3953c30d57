package import EventLoop
package import NetworkAddress

/// Watches the connections that a request tries to make.
///
/// It is told on the loop's thread in the middle of libcurl's work, and must not call the session. Of each address there is
/// one `connecting`, once something has been sent, and then one of the others.
package protocol ConnectionObserver: AnyObject, Sendable {
    /// The first packet has left.
    ///
    /// - Returns: Whether the rest is of interest.
    func connecting(to address: IPAddress, port: UInt16, at time: MonotonicTime) -> Bool
    /// The host's first word: the connection stands, or is refused by the host itself.
    ///
    /// - Parameter isRefusal: Whether a RST came. A filter of this host's own may have sent it in the host's name.
    func heard(_ address: IPAddress, after delay: Duration, isRefusal: Bool)
    func missed(_ address: IPAddress, _ miss: ConnectionMiss)
}

/// Why a connection came to nothing without a word of the host's.
package enum ConnectionMiss: Sendable {
    /// A router or this kernel has said so.
    case told
    /// Nothing came while it was waited for.
    case silent
    /// It was given up: another connection stood first, or no request wanted it any more.
    case abandoned
}
