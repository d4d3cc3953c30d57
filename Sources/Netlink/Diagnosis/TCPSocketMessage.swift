public import NetworkAddress

/// A TCP socket as the kernel's socket diagnosis tells it (`struct inet_diag_msg`, `linux/inet_diag.h`).
public struct TCPSocketMessage: Hashable, Sendable {
    public var state: TCPState
    /// Its own address. That of an IPv6 socket which speaks IPv4 (`::ffff:192.0.2.1`) is the IPv4 address.
    public var source: IPAddress
    public var sourcePort: UInt16
    /// The peer's address.
    public var destination: IPAddress
    public var destinationPort: UInt16
    /// The device it is bound to (SO_BINDTODEVICE); nil where it leaves by the route.
    public var boundInterface: UInt32? = nil
    /// Whose it is.
    public var userID: UInt32 = 0
    /// In how many milliseconds the segment that waits for an answer is sent again; nil where none waits.
    public var retransmissionDue: UInt32? = nil
    /// Nil for a socket that is being made or torn down.
    public var info: TCPInfo? = nil

    public init(
        state: TCPState, source: IPAddress, sourcePort: UInt16, destination: IPAddress, destinationPort: UInt16
    ) {
        self.state = state
        self.source = source
        self.sourcePort = sourcePort
        self.destination = destination
        self.destinationPort = destinationPort
    }
}
