import CCurl
import EventLoop
import FoundationEssentials
import NetworkAddress

/// One request on its way: its handle, what came back so far, and the continuation that waits for it. It stays on the
/// session's loop.
final class Transfer {
    typealias ID = UInt64

    let id: ID
    let request: Request
    let destination: Destination
    let settings: TransferSettings
    let easy: TransferHandle
    let observers: TaskObservers
    /// By whose suspension it is held still.
    let holder: TaskID
    /// The caller that waits for the end.
    let continuation: WaitingLine.Continuation
    private(set) var receiver: any BodyReceiver
    /// Unpacks the body; nil for one that is not compressed, or is wanted as it is.
    private(set) var decoding: BodyDecoding?
    /// Where the socket that was opened last is to connect to.
    var attempted: (IPAddress, UInt16)?
    /// The descriptors of the connections that were watched.
    var attempts: [CInt] = []
    /// Whether a connection of this transfer stood.
    var hasConnected = false
    /// Whether no caller wants its end any more.
    var isGivenUp = false
    /// How many handshakes the present connection has begun.
    var handshakes = 0
    private let sampleLimit: Int
    /// The most bytes of a body that goes into a file or a stream, where the request itself has a limit: the session's
    /// is one of memory.
    private let outletLimit: Int?
    private let setsAside: @Sendable (ResponseHead) -> Bool
    /// The cookies that were lent for it alone.
    var loan: CookieLoan?
    let source: (any BodySource)?
    let verification: TLSVerification?
    var clock: PhaseClock
    var metrics = RequestMetrics()
    var headReader: HeadReader
    /// Why a callback of ours broke the transfer off. It says more than libcurl's code does.
    var refusal: RequestError.Reason?
    /// Why the body of an answer that is set aside cannot be unpacked.
    private var bodyFlaw: RequestError.Reason?
    /// What was found of the server of the connection that the request went out over; nil without TLS.
    var connectionVerification: TLSVerification?
    /// Whether a callback of ours has ended it because it had all that was wanted.
    var isBrokenOff = false
    /// Whether it may go out once more.
    var repetition = Repetition()
    /// The refusal of a socket, which matters only where no other address worked.
    var socketRefusal: RequestError.Reason?
    /// What was taken of the time-out `total` before.
    let timeSpent: Duration
    /// When something last moved, as exactly as the loop's turns are short.
    var lastActivity: MonotonicTime
    /// What the kernel had moved when it was last asked.
    private var seenActivity: SocketActivity?
    let turn: Turn
    /// Whether the caller wants nothing to move for now.
    var isSuspended: Bool { suspendedSince != nil }
    private(set) var suspendedSince: MonotonicTime?
    /// For how long it was held still before.
    private(set) var timeSuspended = Duration.zero
    /// Whether a callback has made libcurl wait.
    var isPaused = false
    /// The bytes of the body on the wire whose pieces were taken whole.
    var bytesTaken: Int64 = 0
    /// The same with the piece that is offered now, or has to be offered again.
    var bytesOffered: Int64 = 0
    var bytesDecoded: Int64 = 0
    /// What was told of the answer's body last.
    var toldProgress: TransferProgress?
    /// Whether the answer is one that another follows.
    private(set) var isSetAside = false
    var bytesSupplied: Int64 = 0
    private(set) var hasBegun = false
    /// All that there will be on the wire of the body; nil where the server has not said. Told with each piece, and read once.
    private(set) var total: Int64?

    init(
        id: ID, exchange: Exchange, destination: Destination, settings: TransferSettings, source: (any BodySource)?,
        easy: TransferHandle, setup: HandleSetup, turn: Turn,
        receiver: any BodyReceiver, evaluator: TrustEvaluator?, cookies: ShareHandle?,
        continuation: WaitingLine.Continuation
    ) throws(RequestError) {
        self.continuation = continuation
        self.id = id
        self.turn = turn
        lastActivity = turn.time
        request = exchange.request
        timeSpent = exchange.timeSpent
        observers = TaskObservers(task: exchange.task, monitors: exchange.monitors)
        holder = exchange.holder
        setsAside = exchange.setsAside
        sampleLimit = exchange.delivery.sampleLimit(settings)
        outletLimit = exchange.delivery.isMemory ? nil : exchange.request.maximumBodySize
        self.destination = destination
        self.settings = settings
        headReader = HeadReader(limit: settings.options.headerLimit)
        self.easy = easy
        self.receiver = receiver
        verification = evaluator.map { TLSVerification(evaluator: $0, host: destination.host) }
        self.source = source
        clock = PhaseClock(needsLookUp: settings.needsLookUp(destination), now: turn.time)
        if easy.setup != setup { try setup.apply(to: easy, cookies: cookies) }
        try easy.prepare(for: self, url: destination.url)
    }

    /// Whether some of it went out and nothing has come back yet. Over a connection that was reset while it was kept nothing
    /// goes out, which libcurl (7.88) finds out by trying.
    var isSent: Bool { clock.phase == .processing && easy.integer(CURLINFO_REQUEST_SIZE) != 0 }

    /// Since when no byte has moved, or nil while there is no connection for one to move on.
    var idleSince: MonotonicTime? {
        clock.isExchanging && !isPaused && !isSuspended ? lastActivity : nil
    }

    /// Whether nothing has moved for as long as may be, as far as libcurl knows.
    func isIdleTooLong(_ now: MonotonicTime) -> Bool {
        guard let idle = settings.options.timeouts.idle, let idleSince else { return false }
        return idleSince.advanced(by: idle) <= now
    }

    /// Notes what the kernel knows of the connection. An acknowledgement may be of nothing new.
    func note(_ activity: SocketActivity) {
        let seen = seenActivity
        seenActivity = activity
        if seen?.acknowledged != activity.acknowledged {
            lastActivity = max(lastActivity, activity.lastAcknowledgement)
        }
        if seen?.received != activity.received { lastActivity = max(lastActivity, activity.lastReceipt) }
    }

    /// Until when it may wait for a connection, or nil once there is one. libcurl (7.88) does not look at the clock of a
    /// transfer that waits until another gives its connection back, and knows nothing of suspensions.
    var waitingDeadline: MonotonicTime? {
        let isOurs = clock.awaitsConnection || (timeSuspended > .zero && !clock.isExchanging)
        guard isOurs || isSuspended else { return nil }
        var limits = settings.options.timeouts
        limits.connect = isSuspended ? nil : limits.connect.map { $0 + timeSuspended }
        return limits.untilConnected.map { clock.start.advanced(by: $0) }
    }

    // MARK: Suspension

    func suspend() {
        suspendedSince = suspendedSince ?? turn.time
        setConnectTimeOut(nil)
    }

    func goOn() {
        guard let since = suspendedSince else { return }
        timeSuspended += since.duration(to: turn.time)
        suspendedSince = nil
        lastActivity = turn.time
        setConnectTimeOut(settings.options.timeouts.connect.map { $0 + timeSuspended })
    }

    /// libcurl counts from the start, and looks at what it is told each time that it looks at its clock.
    private func setConnectTimeOut(_ limit: Duration?) {
        guard !clock.isExchanging else { return }
        // The handle is not as it was set up any more.
        easy.setup = nil
        // There is no other way for it to fail than that of the first time.
        try? easy.setConnectTimeOut(limit)
    }

    /// What was measured until now, of a transfer that goes on.
    var presentMetrics: RequestMetrics {
        var present = metrics
        clock.report(into: &present)
        present.failedPhase = clock.phase
        return present
    }

    // MARK: The answer

    /// Shows the final header to the receiver of the body, once; false where it refuses.
    func begin() -> Bool {
        guard !hasBegun else { return refusal == nil }
        hasBegun = true
        let head = headReader.head
        total = contentLength
        isSetAside = setsAside(head)
        // More of it than may be kept is not waited for: there may be no end of it.
        if isSetAside { receiver = BodySample(limit: sampleLimit, breaksOff: true) }
        observers.tell(.responded(head))
        // How much was there before, the receiver knows only once it has begun.
        let count = statedCount
        refusal =
            excess(of: count) ?? receiver.begin(head, expecting: Int(clamping: count)) ?? excess(of: count)
        if refusal == nil, let flaw = beginDecoding(head) { note(flaw: flaw) }
        return refusal == nil
    }

    /// Why so many bytes of an answer are too many for a file or a stream; nil where they are not. What is set aside
    /// goes into neither.
    func excess(of count: Int64) -> RequestError.Reason? {
        guard let outletLimit, !isSetAside, receiver.offset.adding(clamped: count) > Int64(outletLimit) else {
            return nil
        }
        return .bodyTooLarge(limit: outletLimit)
    }

    /// Notes why the body cannot be unpacked. Where another answer follows that decides nothing, unless this one
    /// turns out to be the last.
    func note(flaw: RequestError.Reason) {
        if isSetAside { bodyFlaw = flaw } else { refusal = flaw }
    }

    private func beginDecoding(_ head: ResponseHead) -> RequestError.Reason? {
        guard isUnpacked(head), contentLength != 0 else { return nil }
        do throws(ContentDecodingError) {
            decoding = try BodyDecoding(head.headers)
            return nil
        } catch {
            return .malformedContent(error.explanation)
        }
    }

    /// Whether content of this answer that is packed is unpacked: a part of what is packed cannot be.
    private func isUnpacked(_ head: ResponseHead) -> Bool {
        settings.options.isCompressible && head.statusCode != 206
    }

    /// The content's length on the wire, where the header states it and there is content.
    private var contentLength: Int64? {
        let head = headReader.head
        guard request.method != .head, head.statusCode != 204, head.statusCode != 304 else { return 0 }
        // Chunks say where they end, whatever else is stated (RFC 9112 section 6.3).
        return head.headers.contains(name: "Transfer-Encoding") ? nil : headReader.statedLength
    }

    /// The cookies that were set, whatever has become of the body.
    var namesOfCookies: Set<String> { headReader.namesOfCookies }

    /// How long the content will be, where that is known before it is unpacked, and otherwise 0.
    private var statedCount: Int64 {
        let head = headReader.head
        let isPacked = isUnpacked(head) && head.headers.contains(name: "Content-Encoding")
        return isPacked ? 0 : total ?? 0
    }

    // MARK: The end

    /// Makes it ready to go out once more, where libcurl has given up what the server has not looked at; false where it has to
    /// end with this code.
    func goesOutAgain(after code: CURLcode) -> Bool {
        code == CURLE_HTTP2 && isSent && refusal == nil && repetition.grant() && seek(to: 0)
    }

    /// What the transfer came to, after libcurl has ended it with a code.
    func outcome(_ code: CURLcode) -> Result<ResponseHead, RequestError> {
        guard code != CURLE_OK || isBrokenOff || !headReader.isCutOff else {
            return .failure(failure(.connectionLost(received: 0, nil)))
        }
        guard code == CURLE_OK || isBrokenOff, begin(), refusal == nil else {
            return .failure(failure(reason(for: code)))
        }
        guard isBrokenOff || !isCutByConnection else {
            return .failure(failure(.connectionLost(received: easy.count(CURLINFO_SIZE_DOWNLOAD_T), nil)))
        }
        if !isBrokenOff, let decoding, !decoding.isWhole { note(flaw: .malformedContent("it ends in the middle")) }
        if let refusal { return .failure(failure(refusal)) }
        collectMetrics()
        observers.tell(.measured(metrics))
        return .success(headReader.head)
    }

    /// Tells the caller, once what has come of the body is where it belongs.
    func conclude(_ result: Result<Response, RequestError>) {
        let result = result.map { $0.noting(bodyFlaw) }
        let failure: RequestError.Reason? = if case .failure(let error) = result { error.reason } else { nil }
        receiver.end(after: failure) { [continuation] reason in
            guard let reason, case .success(let response) = result else {
                return continuation.resume(returning: result)
            }
            continuation.resume(returning: .failure(RequestError(reason, metrics: response.metrics)))
        }
    }

    /// An error with what was measured until now.
    func failure(_ reason: RequestError.Reason) -> RequestError {
        collectMetrics()
        metrics.failedPhase = clock.phase
        if metrics.certificates.isEmpty { metrics.certificates = verification?.presentedChain ?? [] }
        observers.tell(.measured(metrics))
        return RequestError(reason, metrics: metrics)
    }

    func collectMetrics() {
        clock.report(into: &metrics)
        metrics.wantsClientCertificate = (connectionVerification ?? verification)?.hasServerAsked == true
        metrics.httpVersion = headReader.head.httpVersion
        metrics.bytesSent = (easy.integer(CURLINFO_REQUEST_SIZE) ?? 0) + easy.count(CURLINFO_SIZE_UPLOAD_T)
        metrics.bytesReceived = (easy.integer(CURLINFO_HEADER_SIZE) ?? 0) + easy.count(CURLINFO_SIZE_DOWNLOAD_T)
    }
}
