/// What follows from a request and its session before anything is sent. A session is mostly asked for the same again, and
/// then none of it has to be worked out anew.
final class TransferPlan {
    let settings: TransferSettings
    /// How a handle is to be for a request without a body.
    let setup: HandleSetup
    /// Nil once the session has let go of it.
    weak var pool: ConnectionPool?
    private let request: Request

    init(_ request: Request, _ settings: TransferSettings, _ pool: ConnectionPool) {
        var bare = request
        bare.body = nil
        bare.interceptors = []
        self.request = bare
        self.settings = settings
        self.pool = pool
        setup = HandleSetup(bare, settings, count: nil)
    }

    /// Whether this is the plan for another request, too: of what is sent, only the body may differ.
    func fits(_ other: Request) -> Bool {
        other.method == request.method && other.url == request.url && other.hasOptions(of: request)
            && other.headers.isSpelled(like: request.headers)
    }
}
