public import NetworkAddress

/// The answer to an echo request.
public struct EchoReply: Hashable, Sendable {
    /// The host that answered.
    public var address: IPAddress
    /// From the request's departure to the moment the kernel received the reply.
    public var roundTrip: Duration
    /// The time to live (IPv4) or hop limit (IPv6) that the reply had left; nil where the kernel did not say.
    public var hopLimit: Int?
}

/// What happens to an echo request before its end is told.
package enum EchoStep: Hashable, Sendable {
    /// It has left.
    case sent
    /// The host itself has sent it back with an error.
    case returned
}
