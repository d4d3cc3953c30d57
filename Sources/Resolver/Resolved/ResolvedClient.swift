public import EventLoop
internal import FoundationEssentials
internal import Glibc
public import NetworkAddress

/// Looks names up by systemd-resolved, at the name servers of one link and over that link.
///
/// It asks its varlink socket, which any user may and which needs no D-Bus. systemd-resolved reads `/etc/hosts` itself.
/// It is asked past its cache: what a server said a while ago does not show that it is there.
public struct ResolvedClient: Sendable {
    /// Where systemd-resolved listens.
    public static let socket = "/run/systemd/resolve/io.systemd.Resolve"

    private let loop: EventLoop
    private let path: String

    public init(loop: EventLoop, path: String = ResolvedClient.socket) {
        self.loop = loop
        self.path = path
    }

    /// Whether its socket is there.
    public var isRunning: Bool { unsafe access(path, W_OK) == 0 }

    /// Asks for the addresses of a name, of both families or of one.
    ///
    /// - Parameter index: The link whose servers are asked; ``ResolverError/noServers`` where it has none.
    /// - Throws: ``ResolverError/setup(reason:)`` where systemd-resolved is not there or cannot be spoken to.
    public func addresses(
        of name: String, family: AddressFamily? = nil, link index: UInt32, timeout: Duration
    ) async throws(ResolverError) -> [IPAddress] {
        guard let message = try? JSONEncoder().encode(ResolveHostname(name, family, index)) else {
            throw .invalidName(name)
        }
        let started = MonotonicTime.now
        let call = VarlinkCall(loop: loop)
        switch await call.send(Array(message), to: path, until: started.advanced(by: timeout)) {
        case .answer(let bytes):
            return try reply(bytes, name).addresses(of: name, family)
        case .timedOut: throw .timedOut(name, after: timeout)
        case .cancelled: throw .cancelled
        case .failed(let errno): throw .setup(reason: "systemd-resolved (\(path)) gave no answer: \(errno)")
        }
    }

    private func reply(_ bytes: [UInt8], _ name: String) throws(ResolverError) -> ResolveHostname.Reply {
        do {
            return try JSONDecoder().decode(ResolveHostname.Reply.self, from: Data(bytes))
        } catch {
            throw .malformedAnswer(name)
        }
    }
}
