internal import EventLoop

extension RequestError: CustomStringConvertible {
    public var description: String { reason.description }
}

extension RequestError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url, let problem):
            "the URL \(url.withoutUserInfo.prefix(200).debugDescription) \(problem)"
        case .invalidMessage(let error): error.description
        case .noAddress(let family): "none of the addresses given is an \(family) address"
        case .bodyUnreadable(let path, let errno):
            "the file \(path) cannot be read for sending: \(RegularFile.explain(errno))"
        case .invalidBody(let error): error.description
        case .noSecurityPolicy(let host): "there is no security policy for \(host), and none for other hosts"
        case .pinningWithoutTLS(let url):
            "\(url.withoutUserInfo) cannot be asked with pinned certificates: use https"
        case .noCAFile(let path):
            "no certificate can be verified because \(path) cannot be read: install ca-certificates"
        case .security(let error): error.description
        case .bodyFailed(let explanation): "the body cannot be read for sending: \(explanation)"
        case .cookieFile(let path, let call, let errno):
            "the cookies cannot be kept: \(call) \(path): \(RegularFile.explain(errno))"
        case .authentication(let error): error.description
        case .sessionInvalidated: "the session was invalidated: make a new one"
        case .setup(let explanation): "the request could not be set up: \(explanation)"
        default: descriptionOfFailure
        }
    }

    private var descriptionOfFailure: String {
        switch self {
        case .resolve(let host):
            "the name \(host) has no usable address: check its spelling and the name servers"
        case .connect(let host, let port, let errno):
            "no connection to \(host) port \(port)" + (errno.map { ": \($0)" } ?? "")
        case .interfaceRefused(let binding, let errno):
            "the socket cannot be bound to \(binding), so nothing was sent: \(errno)"
        case .sourceAddressRefused(let address, let errno):
            "nothing can be sent from \(address), so nothing was sent: \(errno)"
        case .proxy(let explanation):
            "the proxy did not let the request through: \(explanation)"
        case .tls(let host, let explanation):
            "the TLS handshake with \(host) failed: \(explanation)"
        case .untrusted(let error):
            error.description
        default:
            descriptionOfAnswer
        }
    }

    private var descriptionOfAnswer: String {
        switch self {
        case .timedOut(let phase, let limit): "timed out in the phase \(phase.rawValue) after \(limit.words)"
        case .connectionLost(let received, let errno):
            "the connection broke after \(received) bytes of body" + (errno.map { ": \($0)" } ?? "")
        case .emptyResponse: "the server closed the connection without an answer"
        case .malformedResponse(let explanation): "the answer is not HTTP: \(explanation)"
        case .malformedContent(let explanation): "the body cannot be decompressed: \(explanation)"
        case .headerTooLarge(let limit): "the header of the answer is longer than \(limit) bytes"
        case .bodyTooLarge(let limit): "the body of the answer is longer than \(limit) bytes: raise the limit"
        case .unacceptableStatus(let code, _): "the download was answered with status \(code), so no file was written"
        case .fileUnwritable(let path, let call, let errno):
            "the download cannot be written: \(call) \(path): \(RegularFile.explain(errno))"
        case .noDestination(let explanation): "the download has no destination: \(explanation)"
        case .unresumable(let problem): "the download cannot be resumed: \(problem)"
        case .undeliverable(let problem): "the answer cannot be delivered: \(problem)"
        case .tooManyRedirects(let limit, let hops):
            "the server redirected more than \(limit) times: \(hops.map(\.withoutUserInfo).joined(separator: " → "))"
        case .cancelled: "the request was cancelled"
        case .other(let code, let explanation): "libcurl failed with code \(code): \(explanation)"
        default: "the request failed"
        }
    }
}
