import CCurl
import FoundationEssentials
import SystemPackage

extension Transfer {
    /// What libcurl's code means for this transfer.
    func reason(for code: CURLcode) -> RequestError.Reason {
        if let refusal { return refusal }
        if let failure = verification?.failure { return .untrusted(failure) }
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return timeOut
        case CURLE_COULDNT_RESOLVE_HOST: return .resolve(host: destination.host)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            if let socketRefusal { return socketRefusal }
            let errno = easy.lastErrno
            // That no way leads there, or no port is left, is no word of a proxy's.
            let isOwn = errno.map { [.networkUnreachable, .networkDown, .addressNotAvailable].contains($0) } ?? false
            if settings.usesProxy(destination), !isOwn { return .proxy(explanation(code)) }
            return .connect(host: destination.host, port: destination.port, errno)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy(explanation(code))
        case CURLE_URL_MALFORMAT:
            return .invalidURL(request.url.absoluteString, problem: "is refused: \(explanation(code))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT,
            CURLE_PEER_FAILED_VERIFICATION:
            return .tls(host: destination.host, explanation(code))
        default: return reasonInAnswer(code)
        }
    }

    private func reasonInAnswer(_ code: CURLcode) -> RequestError.Reason {
        switch code {
        case CURLE_GOT_NOTHING: .emptyResponse
        // libcurl has one code for chunks that cannot be read and for a connection that cannot (lib/transfer.c): a server
        // that writes chunks wrong does so again, so that nothing is to be tried again.
        case CURLE_RECV_ERROR where easy.explanation?.contains("chunk") == true: .malformedResponse(explanation(code))
        // The end of a connection without TLS's own word for it.
        case CURLE_RECV_ERROR where clock.phase == .processing && destination.isSecure && easy.lastErrno == nil:
            headReader.byteCount == 0 ? .emptyResponse : brokenConnection
        // What libcurl says of a header line that goes on none before it (lib/headers.c).
        case CURLE_BAD_FUNCTION_ARGUMENT where clock.phase == .transfer:
            .malformedResponse("a header line that begins with a blank goes on no other")
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR: brokenConnection
        case CURLE_HTTP2 where clock.phase == .transfer, CURLE_HTTP2_STREAM where clock.phase == .transfer:
            brokenConnection
        case CURLE_HTTP2 where repetition.isUnseen: brokenConnection
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            .malformedResponse(explanation(code))
        // The only buffer that grows with what is to be sent (lib/http.c, DYN_HTTP_REQUEST).
        case CURLE_OUT_OF_MEMORY where clock.phase == .processing && !isSent:
            .setup("the header of the request is longer than libcurl sends, which is 1 MiB")
        // The only buffer that grows with what the server sends is that of one header line, up to 100 KiB.
        case CURLE_OUT_OF_MEMORY where [.processing, .transfer].contains(clock.phase):
            .headerTooLarge(limit: Int(CURL_MAX_HTTP_HEADER))
        case CURLE_BAD_CONTENT_ENCODING: .malformedContent(explanation(code))
        default: .other(code: Int(code.rawValue), explanation(code))
        }
    }

    private var brokenConnection: RequestError.Reason {
        switch clock.phase {
        case .tls: .tls(host: destination.host, explanation(CURLE_RECV_ERROR))
        // Only a proxy talks before the request.
        case .resolve, .connect: .proxy(explanation(CURLE_RECV_ERROR))
        case .processing, .transfer: .connectionLost(received: easy.count(CURLINFO_SIZE_DOWNLOAD_T), easy.lastErrno)
        }
    }

    /// The time-out for want of bytes.
    var idleTimeOut: RequestError.Reason {
        .timedOut(clock.phase, after: settings.options.timeouts.idle ?? .zero)
    }

    /// The time-out of the phase that it is in.
    var timeOut: RequestError.Reason {
        var limits = settings.options.timeouts
        limits.total = limits.total.map { $0 + timeSpent }
        let isConnecting = [.resolve, .connect, .tls].contains(clock.phase)
        let limit = isConnecting ? [limits.connect, limits.total].compactMap(\.self).min() : limits.total
        return .timedOut(clock.phase, after: limit ?? clock.elapsed)
    }

    private func explanation(_ code: CURLcode) -> String {
        easy.explanation ?? CurlLibrary.explanation(of: code)
    }
}
