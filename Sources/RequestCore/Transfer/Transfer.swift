import CCurl
import EventLoop
import FoundationEssentials

/// One request on its way: its handle, what came back so far, and who waits for it. It stays on the session's loop.
final class Transfer {
    typealias ID = UInt64

    let id: ID
    let request: Request
    let settings: TransferSettings
    let easy: EasyHandle
    let receiver: any BodyReceiver
    let source: (any BodySource)?
    let verification: TLSVerification?
    var clock: PhaseClock
    var metrics = RequestMetrics()
    var head = ResponseHead()
    /// Why a callback of ours broke the transfer off. It says more than libcurl's code does.
    var refusal: RequestError.Reason?
    /// The refusal of a socket, which matters only where no other address worked.
    var socketRefusal: RequestError.Reason?
    /// Whether the first piece of body has come.
    var hasBody = false
    var lastActivity = MonotonicTime.now

    init(
        id: ID, request: Request, settings: TransferSettings, easy: EasyHandle, receiver: any BodyReceiver,
        evaluator: TrustEvaluator?
    ) throws(RequestError) {
        self.id = id
        self.request = request
        self.settings = settings
        self.easy = easy
        self.receiver = receiver
        verification = evaluator.map { TLSVerification(evaluator: $0, host: settings.host) }
        source = try request.body?.open()
        clock = PhaseClock(needsLookUp: settings.needsLookUp)
        try configure()
    }

    /// Since when no byte has moved, or nil while there is no connection for one to move on.
    var idleSince: MonotonicTime? {
        [.processing, .transfer].contains(clock.phase) ? lastActivity : nil
    }

    // MARK: libcurl's callbacks

    /// Names this transfer to libcurl, which gives it back to the callbacks. The pool keeps the transfer alive.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: The end

    /// What the transfer came to, after libcurl has ended it with a code.
    func outcome(_ code: CURLcode) -> Result<ResponseHead, RequestError> {
        guard code == CURLE_OK, refusal == nil else { return .failure(failure(reason(for: code))) }
        collectMetrics()
        return .success(head)
    }

    /// An error with what was measured until now.
    func failure(_ reason: RequestError.Reason) -> RequestError {
        collectMetrics()
        metrics.failedPhase = clock.phase
        if metrics.certificates.isEmpty { metrics.certificates = verification?.presentedChain ?? [] }
        return RequestError(reason, metrics: metrics)
    }
}
