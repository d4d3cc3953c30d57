/// What follows from a request and its session before anything is sent. A session is mostly asked for much the same again,
/// and then none of it has to be worked out anew.
final class TransferPlan {
    let settings: TransferSettings
    /// How a handle is to be for a request without a body.
    let setup: HandleSetup
    let bufferSize: Int
    /// Nil once the session has let go of it.
    weak var pool: ConnectionPool?
    private let request: Request
    private let destination: Destination
    /// Whether any host with or without TLS, as this one, is asked in the same way.
    private let isForAnyHost: Bool

    /// - Parameter isForAnyHost: Whether the session treats all hosts alike.
    init(
        _ request: Request, _ destination: Destination, _ settings: TransferSettings, _ pool: ConnectionPool,
        _ bufferSize: Int,
        isForAnyHost: Bool
    ) {
        var bare = request
        bare.body = nil
        bare.interceptors = []
        bare.connections = nil
        self.request = bare
        self.destination = destination
        self.settings = settings
        self.pool = pool
        self.bufferSize = bufferSize
        self.isForAnyHost = isForAnyHost && settings.options.addresses == nil
        setup = HandleSetup(bare, destination, settings, bufferSize, count: nil)
    }

    /// Whether this is the plan for another request, too: of what is sent, only the body and the URL may differ.
    func fits(_ other: Request, to destination: Destination) -> Bool {
        other.method == request.method && other.hasOptions(of: request)
            && other.headers.isSpelled(like: request.headers) && leads(to: destination)
    }

    private func leads(to other: Destination) -> Bool {
        guard other.isSecure == destination.isSecure else { return false }
        return isForAnyHost || (other.host == destination.host && other.port == destination.port)
    }
}
