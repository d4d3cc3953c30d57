internal import Evidence
internal import RequestEngine
internal import SystemPackage

/// What has become of a connection of a probe's own.
enum TCPEnd {
    /// The host has accepted or refused it.
    case heard(Errno?)
    case missed(Miss, Errno)

    /// What a router has said of a connection that is still waited for; nil where nothing was said.
    static func told(of socket: ProbeSocket) -> TCPEnd? {
        guard HandshakeState(of: socket.descriptor) == .connecting else { return nil }
        return socket.failure.map { .missed(.told, $0) }
    }

    /// Reads it off a socket that is ready.
    init(of socket: ProbeSocket) {
        let state = HandshakeState(of: socket.descriptor)
        let failure = socket.failure
        guard let failure, state != .connected, state != .refused else {
            // The connection stood, and was reset before the look at it (tcp_reset in net/ipv4/tcp_input.c): a look in time
            // sees no error.
            self = .heard(Self.laterErrors.contains(failure) ? nil : failure)
            return
        }
        self = .missed(failure == .timedOut ? .silent : .told, failure)
    }

    private static let laterErrors: [Errno?] = [.connectionReset, .brokenPipe]
}
