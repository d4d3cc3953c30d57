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
    private let target: Target
    /// Whether any host with or without TLS, as this one, is asked in the same way.
    private let isForAnyHost: Bool

    /// - Parameter isForAnyHost: Whether the session treats all hosts alike.
    init(
        _ request: Request, _ target: Target, _ settings: TransferSettings, _ pool: ConnectionPool, _ bufferSize: Int,
        isForAnyHost: Bool
    ) {
        var bare = request
        bare.body = nil
        bare.interceptors = []
        bare.connections = nil
        self.request = bare
        self.target = target
        self.settings = settings
        self.pool = pool
        self.bufferSize = bufferSize
        self.isForAnyHost = isForAnyHost && settings.addresses == nil
        setup = HandleSetup(bare, target, settings, bufferSize, count: nil)
    }

    /// Whether this is the plan for another request, too: of what is sent, only the body and the URL may differ.
    func fits(_ other: Request, to target: Target) -> Bool {
        other.method == request.method && other.hasOptions(of: request)
            && other.headers.isSpelled(like: request.headers) && leads(to: target)
    }

    private func leads(to other: Target) -> Bool {
        guard other.isSecure == target.isSecure else { return false }
        return isForAnyHost || (other.host == target.host && other.port == target.port)
    }
}
