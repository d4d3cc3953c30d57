import NIOCore
import NIOHTTP1

/// Stands between the HTTP parser and what answers, where a request's version and all of its fields are still to be seen.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    /// Whether the request is of HTTP/1.0, whose answers are not in chunks (RFC 9112 6.1).
    private var isOld = false

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isOld = head.version != .http1_1
            let path = head.uri.prefix { $0 != "?" }
            connection.requestHeaderCame(isStream: head.method == .GET && path == "/events")
            context.fireChannelRead(wrapInboundOut(.head(head.withOldWays.withOneHost)))
        case .body: context.fireChannelRead(data)
        case .end:
            connection.requestEnded()
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isOld && !head.headers.contains(name: "content-length"):
            head.version = .http1_0
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            connection.answerEnded()
        case .head, .body: context.write(data, promise: promise)
        }
    }
}

extension HTTPRequestHead {
    /// The same with what HTTP/1.0 leaves unsaid: the connection ends after the answer (RFC 9112 9.3), and the host is this one.
    fileprivate var withOldWays: HTTPRequestHead {
        guard version.major == 1, version.minor == 0 else { return self }
        var head = self
        if !head.headers.contains(name: "host") { head.headers.add(name: "Host", value: "localhost") }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        return head
    }

    /// The host of an address in absolute form goes before the field (RFC 9112 3.2.2).
    fileprivate var withOneHost: HTTPRequestHead {
        guard !uri.hasPrefix("/"), let start = uri.firstRange(of: "://"), headers["host"].count == 1 else {
            return self
        }
        var head = self
        let authority = uri[start.upperBound...].prefix { !"/?#".contains($0) }
        head.headers.replaceOrAdd(name: "Host", value: String(authority))
        return head
    }
}
