public import FoundationEssentials
public import NetworkAddress
public import SystemPackage

extension RequestError {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        // MARK: Before anything is sent

        /// The URL is not one that can be asked: what is wrong with it.
        case invalidURL(String, problem: String)
        /// The method or a header field may not go on the wire.
        case invalidMessage(HTTPMessageError)
        /// None of the addresses given is of the family asked for.
        case noAddress(of: AddressFamily)
        /// The file to be sent cannot be read.
        case bodyUnreadable(path: String, Errno)
        /// The stream to be sent failed: its own error.
        case bodyFailed(String)
        /// A part of the multipart body cannot be sent.
        case invalidBody(MultipartError)
        /// The session has no security policy for the host, and refuses hosts without one.
        case noSecurityPolicy(host: String)
        /// The policy pins certificates or keys, and the URL is not one of TLS.
        case pinningWithoutTLS(url: String)
        /// The host has no file of certificate authorities, so that no certificate can be verified.
        case noCAFile(path: String)
        /// Something else that the security policy is made of cannot be used.
        case security(SecurityError)
        /// The session's cookies cannot be read or written: what was tried on which file.
        case cookieFile(path: String, call: String, Errno)
        /// The request could not be authenticated.
        case authentication(AuthenticationError)
        /// The session was invalidated.
        case sessionInvalidated
        /// libcurl could not be set up, or does not know an option: its own explanation.
        case setup(String)

        // MARK: On the way

        /// The name has no address that can be used.
        case resolve(host: String)
        /// No connection could be made.
        case connect(host: String, port: Int, Errno?)
        /// The kernel refused to bind the socket to the interface.
        case interfaceRefused(InterfaceBinding, Errno)
        /// The local address cannot be sent from.
        case sourceAddressRefused(IPAddress, Errno)
        /// The proxy refused, or could not be reached: libcurl's explanation.
        case proxy(String)
        /// The TLS handshake failed: OpenSSL's explanation.
        case tls(host: String, String)
        /// The security policy does not accept the server's certificates: why, and which they are.
        case untrusted(TrustError)

        // MARK: The answer

        /// A time-out passed; which one was given, and the phase it ended.
        case timedOut(Phase, after: Duration)
        /// The connection broke: after how many bytes of body.
        case connectionLost(received: Int, Errno?)
        /// The server closed the connection without an answer.
        case emptyResponse
        /// The answer is not HTTP: libcurl's explanation.
        case malformedResponse(String)
        /// The body cannot be decompressed, or ends before what is compressed does: why.
        case malformedContent(String)
        /// The header has more bytes than the limit.
        case headerTooLarge(limit: Int)
        /// The body has more bytes than the limit.
        case bodyTooLarge(limit: Int)
        /// The answer to a download has a status that is no file, or that to a token's refresh is a refusal: the beginning of its
        /// body.
        case unacceptableStatus(Int, body: Data)
        /// The download cannot be written: what was tried on which file.
        case fileUnwritable(path: String, call: String, Errno)
        /// The caller's destination closure failed: its own error.
        case noDestination(String)
        /// The rest of a download does not fit what there is of it: what is wrong.
        case unresumable(String)
        /// The answer cannot go to its file or stream, where another answer of the same task goes or went: what is wrong.
        case undeliverable(String)
        /// There were more redirects than the limit: the URLs that redirected, in their order.
        case tooManyRedirects(limit: Int, hops: [String])

        /// The task that waited was cancelled.
        case cancelled
        /// Something libcurl reports that has no case of its own: its code and explanation.
        case other(code: Int, String)
    }
}
