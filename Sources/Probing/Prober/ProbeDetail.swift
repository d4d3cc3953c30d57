internal import RequestEngine
internal import Resolver

/// What is known of an exchange beside the result of its probe.
enum ProbeDetail: Sendable {
    case response(Response)
    case failure(RequestError)
    /// How much a name server's answer has.
    case sections(ReplySections)
    case records([Record])
    /// That of an echo's reply.
    case hopLimit(Int)
}
