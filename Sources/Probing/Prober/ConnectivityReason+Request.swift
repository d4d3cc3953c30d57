internal import Connectivity
internal import Glibc
internal import RequestEngine
internal import SystemPackage

extension ConnectivityReason {
    /// The word for why a request failed; nil where it was only cancelled.
    ///
    /// - Parameter isSecure: Whether a handshake was to follow the connection.
    init?(_ reason: RequestError.Reason, isSecure: Bool) {
        switch reason {
        case .cancelled: return nil
        // What it is called where the reset is seen a moment later, in the handshake.
        case .connect(_, _, .connectionReset?) where isSecure: self = .tlsFailed
        case .resolve: self = .nameServerFailed
        case .noAddress: self = .nameNotFound
        case .connect(_, _, let errno): self = Self.connect(errno)
        case .interfaceRefused(_, let errno):
            self = errno == Errno(rawValue: ENODEV) ? .interfaceUnusable : .bindingRefused
        case .sourceAddressRefused: self = .bindingRefused
        case .proxy: self = .proxyRefused
        case .tls: self = .tlsFailed
        case .noCAFile: self = .certificateIssuer
        case .untrusted(let error): self = Self.certificate(error.reason)
        case .timedOut(let phase, _): self = Self.timeout(phase)
        case .connectionLost, .emptyResponse: self = .connectionLost
        case .malformedResponse, .malformedContent: self = .mangled
        case .headerTooLarge: self = .unexpectedHeader
        case .bodyTooLarge: self = .bodyUnexamined
        case .tooManyRedirects: self = .unexpectedStatus
        // What is left is wrong with the request itself or with this host.
        default: self = .overloaded
        }
    }

    /// The word for what a socket of our own ran into.
    init(socket errno: Errno) {
        self =
            switch errno {
            case .noSuchAddressOrDevice, Errno(rawValue: ENODEV): .interfaceUnusable
            case .notPermitted, .permissionDenied: .bindingRefused
            default: Self.connect(errno)
            }
    }

    private static func connect(_ errno: Errno?) -> ConnectivityReason {
        switch errno {
        case .connectionRefused?: .connectionRefused
        // A reset while the connection is being made is told as refused (tcp_reset in net/ipv4/tcp_input.c). This one came
        // after it stood, before the look at it: whichever of the two is first, the word is the same.
        case .connectionReset?: .connectionLost
        case .timedOut?: .connectTimeout
        case .tooManyOpenFiles?, .tooManyOpenFilesInSystem?, .noMemory?, .noBufferSpace?: .overloaded
        // No local port is left.
        case .addressNotAvailable?: .overloaded
        default: .unreachable
        }
    }

    private static func timeout(_ phase: Phase) -> ConnectivityReason {
        switch phase {
        case .resolve: .nameServerFailed
        case .connect: .connectTimeout
        case .tls, .processing, .transfer: .timeout
        }
    }

    private static func certificate(_ reason: TrustError.Reason) -> ConnectivityReason {
        switch reason {
        case .expired: .certificateExpired
        case .notYetValid: .certificateNotYetValid
        case .wrongHost: .certificateName
        case .hostShortage: .overloaded
        default: .certificateIssuer
        }
    }
}

extension ConnectivityReason {
    /// The reason as the end of a sentence.
    var explanation: String {
        switch self {
        case .unexpectedStatus: "that is not the expected status"
        case .unexpectedHeader: "a header field is not the expected one"
        case .unexpectedBody: "the body is not the expected one"
        case .bodyUnexamined: "it takes too much time or memory to hold the body against what is expected"
        case .mangled: "something on the way has emptied or rewritten it"
        default: rawValue
        }
    }
}
