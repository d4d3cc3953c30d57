import NIOCore

/// Stands between the connection and the HTTP parser, and passes on no more than a few requests before they are answered.
///
/// What a peer has sent when it closes SwiftNIO reads at once, whatever was asked of it. As bytes that is little, as requests
/// it would be a hundred times as much, and the peer would not be there to read their answers.
final class RequestPace: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// From so many on that wait for their answers no more is passed on.
    private static let most = 8
    /// How much is passed on at one time: some ten of the shortest requests.
    private static let slice = 512

    private let connection: ConnectionGuard
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// The last of what was passed on: a request without a body ends with an empty line.
    private var tail: [UInt8] = []
    /// Whether more is to be read once all that is held has gone.
    private var isReadWanted = false
    /// Whether nothing that comes is a request any more.
    private var isOver = false
    /// Whether the peer has closed its end after what is held.
    private var isEnded = false

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    private var isHolding: Bool { held.readableBytes > 0 }

    /// Passes on what may be by now.
    func answerEnded() {
        guard isHolding, let context else { return }
        context.eventLoop.assumeIsolated().execute { self.goOn() }
    }

    /// What comes after the request that is being read is thrown away.
    func endsHere() { isOver = true }

    private func goOn() {
        guard isHolding, let context else { return }
        passOn(context)
        context.fireChannelReadComplete()
        guard !isHolding else { return }
        if isEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    private func passOn(_ context: ChannelHandlerContext) {
        while !isOver, connection.requests < Self.most,
            let slice = held.readSlice(length: min(Self.slice, held.readableBytes)), slice.readableBytes > 0
        {
            tail = Array((tail + slice.readableBytesView.suffix(3)).suffix(3))
            context.fireChannelRead(wrapInboundOut(slice))
        }
        if isOver { held = ByteBuffer() }
        guard !isHolding else { return }
        held = ByteBuffer()
        guard !isOver else { return }
        connection.allPassedOn(isAtEndOfHeader: tail == Array("\n\r\n".utf8) || tail.suffix(2) == Array("\n\n".utf8))
    }

    // MARK: What the connection tells

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isHolding {
            held.writeImmutableBuffer(unwrapInboundIn(data))
        } else {
            held = unwrapInboundIn(data)
        }
        passOn(context)
    }

    func read(context: ChannelHandlerContext) {
        if isHolding { isReadWanted = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isHolding, event as? ChannelEvent == .inputClosed {
            isEnded = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        held = ByteBuffer()
        context.fireChannelInactive()
    }
}
