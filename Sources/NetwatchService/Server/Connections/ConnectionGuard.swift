import NIOCore

/// Stands below HTTP and ends a connection whose peer takes too long to ask, or to read what it asked for.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How often an answer that waits for its reader is looked at.
    private static let stallCheck = TimeAmount.seconds(5)

    private let limits: ConnectionLimits
    private let table: NIOLoopBoundBox<ConnectionTable>
    private var context: ChannelHandlerContext?
    /// Requests whose answers are not written yet.
    private(set) var requests = 0
    /// When the first byte of the request that is being read came; nil while none is.
    private var requestBegan: NIODeadline?
    /// Whether of the request that is being read not even the first line has come whole.
    private(set) var isInFirstLine = false
    /// Whether the request that was read last had a body, whose end nothing marks.
    private var hadBodyLast = false
    private var written = 0
    private var sent = 0
    private(set) var lastProgress = NIODeadline.now()
    private var check: (time: NIODeadline, timer: Scheduled<Void>)?

    init(limits: ConnectionLimits, table: NIOLoopBoundBox<ConnectionTable>) {
        self.limits = limits
        self.table = table
    }

    /// Whether its peer follows the events, which may be quiet for as long as they are.
    private(set) var isStreaming = false
    /// Whether the request that came last asks for the events.
    private var asksForStream = false
    /// Whether it stands beside those that the limit counts: a reader of the events, also one that waits to become one. A peer
    /// that asks for more at the same time, or reads nothing, is no such reader.
    var isReader: Bool { isStreaming || (asksForStream && requests == 1 && unsent == 0) }
    /// Whether its peer has closed its end.
    private var isInputClosed = false
    /// Whether a request came of HTTP/1.0, whose peers take no interim answer.
    private var isOld = false
    /// Told that the peer has gone, while something is found out for it.
    private var whenGone: (@Sendable () -> Void)?

    /// Whether what is written is left out.
    var isMute = false

    /// Whether its peer is one that the permissions of the Unix socket admit.
    var isOverUnixSocket: Bool { context?.channel.localAddress?.protocol == .unix }

    var isAnswering: Bool { requests > 0 || unsent > 0 }

    /// Whether its peer has closed its end and waits for nothing but the end of the other: it is as good as gone.
    var isOver: Bool { isInputClosed && !isAnswering }

    /// Whether its answer is still to come, and its peer takes what there is.
    var isBeingServed: Bool { requests > 0 && unsent == 0 }

    // MARK: What the HTTP layer tells

    /// - Parameters:
    ///   - isStream: Whether it asks for what has no end, if it is given.
    ///   - isOld: Whether it is of HTTP/1.0.
    func requestHeaderCame(isStream: Bool, isOld: Bool) {
        requests += 1
        asksForStream = isStream
        self.isOld = self.isOld || isOld
    }

    /// Something is found out for the peer that takes long, and that is of no use once the peer has gone.
    ///
    /// - Parameter whenGone: Called when it has; not any more once the answer begins.
    func beginInquiry(_ whenGone: @escaping @Sendable () -> Void) {
        guard context != nil else { return whenGone() }
        self.whenGone = whenGone
        if isInputClosed { askWhetherItReads() }
    }

    /// From here on nothing may be put in between.
    func answerBegins() { whenGone = nil }

    /// A peer that has closed its end may still read, or be gone. One that is gone refuses what is sent to it, and others skip an
    /// interim answer (RFC 9110 15.2).
    private func askWhetherItReads() {
        guard let context, whenGone != nil, !isOld else { return }
        let sign = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
        written += sign.readableBytes
        context.writeAndFlush(wrapOutboundOut(sign), promise: nil)
    }

    /// An answer without an end begins. That one was asked for is not enough: it may be refused, and others wait before it.
    func streamBegins() {
        isStreaming = true
        guard isInputClosed, let context else { return }
        // Not while its header is being written.
        context.eventLoop.assumeIsolated().execute { self.context?.close(mode: .all, promise: nil) }
    }

    func requestEnded(hadBody: Bool) {
        requestBegan = nil
        hadBodyLast = hadBody
        plan()
    }

    /// Takes note that the parser has all that came: what comes after a request is the beginning of the next.
    ///
    /// - Parameter isAtEndOfHeader: Whether the last of it ends a request, unless that has a body.
    func allPassedOn(isAtEndOfHeader: Bool) {
        guard requestBegan == nil, !isAtEndOfHeader, !hadBodyLast else { return }
        requestBegan = .now()
        plan()
    }

    func answerEnded() {
        requests = max(0, requests - 1)
        (isStreaming, asksForStream) = (false, asksForStream && requests > 0)
        lastProgress = .now()
        // The next one had to wait for this answer.
        if requestBegan != nil { requestBegan = lastProgress }
        plan()
    }

    /// Ends the connection at once.
    func drop(_ reason: ConnectionTable.Reason) {
        guard let context else { return }
        ConnectionTable.count(reason)
        context.close(mode: .all, promise: nil)
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let victim = table.value.add(self)
        victim?.drop(.limit)
        plan()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        whenGone.take()?()
        check?.timer.cancel()
        table.value.remove(self)
        if table.value.isEbb() { ConnectionTide.giveBack(on: context.eventLoop) }
        self.context = nil
    }

    // MARK: Bytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = .now()
        if requestBegan == nil {
            requestBegan = lastProgress
            isInFirstLine = true
            plan()
        }
        if isInFirstLine {
            isInFirstLine = !unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n"))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isMute else {
            promise?.succeed()
            return
        }
        if unsent == 0 { lastProgress = .now() }
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
        plan()
    }

    // MARK: Time

    private var unsent: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// When the connection is to be looked at next, and why it would be ended then.
    private var deadline: (time: NIODeadline, reason: ConnectionTable.Reason) {
        if let requestBegan { return (requestBegan + .init(limits.request), .slow) }
        return (lastProgress + .init(limits.idle), .idle)
    }

    private func plan() {
        guard let context else { return }
        let next = isAnswering ? .now() + Self.stallCheck : deadline.time
        if let check, check.time <= next { return }
        check?.timer.cancel()
        check = (next, context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { self.look() })
    }

    private func look() {
        check = nil
        let (now, left) = (NIODeadline.now(), unsent)
        if written - left > sent {
            sent = written - left
            lastProgress = now
        }
        if left > 0, !isStreaming, now >= lastProgress + .init(limits.stall) { return drop(.stalled) }
        // While an answer is being made, the next request and the idle time wait.
        if !isAnswering, now >= deadline.time { return drop(deadline.reason) }
        plan()
    }

    // MARK: What the peer ends

    /// A reader that has closed its end of a stream is gone: by TCP the next event only, or the next sign of life, would tell.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            // The end of the service does not wait for one that does not read.
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.stallCheck) {
                if self.unsent > 0 { self.drop(.stalled) }
            }
        }
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            if isStreaming { return context.close(mode: .all, promise: nil) }
            askWhetherItReads()
        }
        context.fireUserInboundEventTriggered(event)
    }
}
