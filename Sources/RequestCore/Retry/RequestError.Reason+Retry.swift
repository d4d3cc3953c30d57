import RequestEngine
import SystemPackage

/// What a failure says about another attempt.
extension RequestError.Reason {
    /// Whether the same request may succeed in a moment.
    var mayPass: Bool {
        switch self {
        case .resolve, .connect, .tls, .timedOut, .connectionLost, .emptyResponse: true
        default: false
        }
    }

    /// Whether a connection was lost before anything of an answer came.
    var isLossBeforeAnswer: Bool {
        switch self {
        case .emptyResponse, .connectionLost(received: 0, _): true
        default: false
        }
    }

    /// Whether having no path is a possible cause of this failure.
    var mayBeOffline: Bool {
        switch self {
        case .resolve, .interfaceRefused, .sourceAddressRefused, .proxy: true
        case .connect(_, _, let errno): errno.map(Self.offline.contains) ?? true
        case .timedOut(.resolve, _), .timedOut(.connect, _): true
        default: false
        }
    }

    /// Whether this host itself had no way to send anything.
    var isLackOfPath: Bool {
        switch self {
        case .interfaceRefused, .sourceAddressRefused: true
        case .connect(_, _, let errno): [.networkUnreachable, .networkDown, .addressNotAvailable].contains(errno)
        default: false
        }
    }

    private static let offline: Set<Errno> = [
        .networkUnreachable, .noRouteToHost, .networkDown, .addressNotAvailable, .timedOut,
    ]
}
