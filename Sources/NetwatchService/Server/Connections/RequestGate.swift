import DequeModule
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Stands between the HTTP parser and what answers, where a request's version and all of its fields are still to be seen.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What an answer's form depends on.
    private struct Question {
        /// Whether it is of HTTP/1.0, whose answers are not in chunks (RFC 9112 6.1).
        let isOld: Bool
        /// Whether its answer ends with the header (RFC 9112 6.3).
        let isHead: Bool
        /// Whether its answer, if it is one of success, has no end.
        let isStream: Bool
    }

    private let connection: ConnectionGuard
    private let pace: RequestPace
    /// Those that are not answered yet, in their order.
    private var questions: Deque<Question> = []
    /// Whether the request that is being read has a body.
    private var hasBody = false
    /// Why the rest of the connection cannot be read.
    private var mistake: HTTPParserError?
    /// Whether that was in its first line; by the time of the answer more may have come.
    private var isLongAddress = false
    /// Whether the request that is being read is the connection's last.
    private var isLast = false
    /// Whether what comes is thrown away: the answer to what was read last ends the connection.
    private var isOver = false

    init(_ connection: ConnectionGuard, _ pace: RequestPace) {
        self.connection = connection
        self.pace = pace
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let isEvents = head.uri.prefix { $0 != "?" } == "/events"
            questions.append(
                Question(
                    isOld: head.version != .http1_1, isHead: head.method == .HEAD,
                    isStream: head.method == .GET && isEvents))
            connection.requestHeaderCame(
                isStream: head.method == .GET && isEvents, isOld: head.version != .http1_1)
            let plain = head.asksForAnotherProtocol ? head.withEnd : head.withPlainEnd
            let asked = plain.withOldWays.withOneHost
            // The next request would get no answer, and the connection would wait for that for ever.
            isLast = asked.headers["connection"] == ["close"]
            context.fireChannelRead(wrapInboundOut(.head(asked)))
        case .body:
            hasBody = true
            context.fireChannelRead(data)
        case .end:
            if isLast {
                // What came in one piece with it the parser passes on all the same.
                isOver = true
                pace.endsHere()
            }
            connection.requestEnded(hadBody: hasBody)
            hasBody = false
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where questions.isEmpty && mistake != nil: refuse(head, context, promise)
        case .head(let head):
            connection.answerBegins()
            if questions.first?.isStream == true, head.status == .ok { connection.streamBegins() }
            writeHead(head, data, context, promise)
        case .body: writeBody(data, context, promise)
        case .end:
            writeBody(data, context, promise)
            _ = questions.popFirst()
            connection.answerEnded()
            pace.answerEnded()
        }
    }

    private func writeHead(
        _ head: HTTPResponseHead, _ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        guard questions.first?.isOld == true, !head.headers.contains(name: "content-length") else {
            return context.write(data, promise: promise)
        }
        var head = head
        head.version = .http1_0
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// The header of an answer to HEAD tells of a body that does not follow.
    private func writeBody(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        connection.isMute = questions.first?.isHead == true
        context.write(data, promise: promise)
        connection.isMute = false
    }

    // MARK: What cannot be read

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if mistake == nil, let error = error as? HTTPParserError {
            (mistake, isLongAddress) = (error, error == .headerOverflow && connection.isInFirstLine)
        }
        context.fireErrorCaught(error)
    }

    /// The server answers with a header alone to what is no request.
    private func refuse(
        _ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let words: String
        var head = head
        switch mistake {
        case .headerOverflow where isLongAddress:
            (head.status, words) = (.uriTooLong, HTTPServer.longAddress)
        case .headerOverflow:
            head.status = .requestHeaderFieldsTooLarge
            words = "the header is too long, or has more than \(HTTPServer.mostFields) fields\n"
        default: words = "this is no request of HTTP/1.1: \(mistake.map { String(reflecting: $0) } ?? "")\n"
        }
        head.headers.replaceOrAdd(name: "Content-Type", value: "text/plain; charset=utf-8")
        head.headers.replaceOrAdd(name: "Content-Length", value: "\(words.utf8.count)")
        for field in HTTPFields.guarding { head.headers.add(name: field.name.rawName, value: field.value) }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: words)))), promise: nil)
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

    /// Whether it asks for another protocol, which is not spoken here and is left out (RFC 9110 7.8). The parser reads nothing
    /// after it: what came would stay in memory without an answer.
    fileprivate var asksForAnotherProtocol: Bool { method == .CONNECT || headers.contains(name: "upgrade") }

    /// The same, with the connection to end after the answer.
    fileprivate var withEnd: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        return head
    }

    /// The same with its wish that the connection end after the answer, if it has one, in the one form that the server looks
    /// for: it may stand beside others, and in capitals (RFC 9110 7.6.1).
    fileprivate var withPlainEnd: HTTPRequestHead {
        guard headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "close" }) else { return self }
        var head = self
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
