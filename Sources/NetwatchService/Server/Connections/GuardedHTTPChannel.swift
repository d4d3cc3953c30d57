import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// An HTTP/1 connection that is bounded: what its peer may have asked and not read, and how long it may take.
struct GuardedHTTPChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    /// How much is read at one time.
    private static let readSize = 4096
    /// What the kernel takes of an answer that is not read; it doubles the value (socket(7)). Less than three segments of the
    /// loopback, of 64 KiB each, would have each wait for the reader's delayed acknowledgement.
    private static let kernelBuffer: ChannelOptions.Types.SocketOption.Value = 128 * 1024
    private static let unsent = ChannelOptions.Types.WriteBufferWaterMark(low: 8 * 1024, high: 32 * 1024)

    /// How soon the kernel asks whether the peer of a quiet connection is still there: a reader of events whose host was
    /// switched off would hold its place for ever (tcp(7)).
    private static let keepAlive: [(name: CInt, value: ChannelOptions.Types.SocketOption.Value)] = [
        (TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 15), (TCP_KEEPCNT, 4),
    ]

    let http: HTTP1Channel
    let limits: ConnectionLimits
    let table: NIOLoopBoundBox<ConnectionTable>

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            let connection = ConnectionGuard(limits: limits, table: table)
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: Self.kernelBuffer)
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: Self.unsent)
            try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
            for (name, seconds) in Self.keepAlive {
                // A Unix socket has none of them: its peer cannot vanish.
                try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: name)), value: seconds)
            }
            let pipeline = channel.pipeline.syncOperations
            let pace = RequestPace(connection)
            try pipeline.addHandlers(connection, pace)
            let channel = http.setup(channel: channel, logger: logger)
            try pipeline.addHandler(
                RequestGate(connection, pace), position: .before(pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
            return channel
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
