internal import Evidence

/// What kind of reason it is.
extension ConnectivityReason {
    /// Whether it is this host's own doing.
    var isOwn: Bool {
        switch self {
        case .overloaded, .notPermitted, .bindingRefused, .interfaceUnusable, .reversePathFilter, .bodyUnexamined: true
        default: false
        }
    }

    /// Whether it is why this host is at fault for what the model has found: not where the model has found something else, and
    /// this host could not ask only the last time.
    func isOwn(_ culprit: Culprit) -> Bool {
        isOwn && (culprit == .host || culprit == .path)
    }

    /// Whether it is of names, which a connection that fails does not come to.
    var isOfNames: Bool { self == .nameServerFailed || self == .nameNotFound || self == .nameHijacked }

    /// Whether it tells how a connection failed, or what came of it.
    var isOfConnection: Bool {
        switch self {
        case .gatewayUnreachable, .connectTimeout, .unreachable, .timeout, .connectionLost, .connectionRefused,
            .tlsFailed, .proxyRefused, .mangled:
            true
        default: false
        }
    }

    /// Whether a router or this kernel said so.
    var isWord: Bool { self == .gatewayUnreachable || self == .unreachable }

    /// Whether nothing came back, or only a router's word.
    var isSilence: Bool {
        self == .gatewayUnreachable || self == .unreachable || self == .connectTimeout || self == .timeout
    }
}
