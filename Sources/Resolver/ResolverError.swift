internal import EventLoop
public import SystemPackage

/// Why a name could not be looked up.
public enum ResolverError: Error, Hashable, Sendable {
    /// The name does not exist (NXDOMAIN).
    case nameNotFound(String)
    /// The name exists and has no record of this type.
    case noRecords(String, RecordType)
    /// The name cannot be asked for: an empty or over-long label, or more than 255 bytes.
    case invalidName(String)
    /// The server could not answer (SERVFAIL), would not (REFUSED), or does not know how (NOTIMP, FORMERR).
    case serverFailed(String, reason: String)
    /// No server answered in time.
    case timedOut(String, after: Duration)
    /// No server could be reached at all.
    case unreachable(String)
    /// The answer cannot be read.
    case malformedAnswer(String)
    /// The query's socket could not be bound to the interface; nothing was sent.
    case interfaceRefused(String, Errno)
    /// No name server is configured.
    case noServers
    /// The resolver could not be set up.
    case setup(reason: String)
    /// The look-up was cancelled.
    case cancelled
}

extension ResolverError {
    /// This host had no socket, or no local port, to ask by.
    init(shortage errno: Errno) { self = .setup(reason: "no socket to ask by: \(errno)") }
}

extension ResolverError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nameNotFound(let name): "the name \(name) does not exist"
        case .noRecords(let name, let type): "the name \(name) has no \(type.rawValue) record"
        case .invalidName(let name): "\"\(name)\" cannot be a host name"
        case .serverFailed(let name, let reason): "the name server gave no answer for \(name): \(reason)"
        case .timedOut(let name, let time): "no name server answered for \(name) within \(time.words)"
        case .unreachable(let name): "no name server could be reached for \(name)"
        case .malformedAnswer(let name): "the name server's answer for \(name) cannot be read"
        case .interfaceRefused(let interface, let errno): "a query cannot be bound to \(interface): \(errno)"
        case .noServers: "no name server is configured: name one, or see /etc/resolv.conf"
        case .setup(let reason): "the resolver could not be set up: \(reason)"
        case .cancelled: "the look-up was cancelled"
        }
    }
}
