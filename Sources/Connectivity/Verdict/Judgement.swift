internal import Evidence

/// What the evidence over one lane, or over all, comes to.
struct Judgement: Hashable, Sendable {
    var status: ConnectivityStatus
    var reason: ConnectivityReason?
    var blame: TargetHealth.Blame?

    init(_ status: ConnectivityStatus, _ reason: ConnectivityReason? = nil, _ blame: TargetHealth.Blame? = nil) {
        self.status = status
        self.reason = reason
        self.blame = blame
    }
}

extension ConnectivityStatus {
    /// From worse to better.
    var rank: Int {
        switch self {
        case .unknown: 0
        case .none: 1
        case .local: 2
        case .portal: 3
        case .limited: 4
        case .full: 5
        }
    }

    init(_ status: Verdict.Status) {
        self =
            switch status {
            case .none: .none
            case .local: .local
            case .portal: .portal
            case .limited: .limited
            case .unknown: .unknown
            case .full: .full
            }
    }
}

extension TargetHealth.Blame {
    init(_ culprit: Culprit) {
        self =
            switch culprit {
            case .host: .host
            case .path: .path
            case .uplink: .uplink
            case .resolver: .resolver
            case .target: .target
            case .unknown: .unknown
            }
    }
}

extension ConnectivityReason {
    /// The word for what the model found. What a probe's own result says in more detail goes before it.
    init?(_ reason: Reason) {
        switch reason {
        case .noPath: self = .noPath
        case .noRoute: self = .noRoute
        case .unreachable: self = .unreachable
        case .silent: self = .connectTimeout
        case .refused: self = .connectionRefused
        case .unanswered: self = .timeout
        case .unexpected, .redirected: self = .unexpectedStatus
        case .untrusted: self = .tlsFailed
        case .outOfTime: self = .certificateExpired
        case .nameServerSilent, .nameServerFailed: self = .nameServerFailed
        case .nameNotFound: self = .nameNotFound
        case .nameHijacked: self = .nameHijacked
        case .unsent: self = .overloaded
        case .portal: self = .portal
        case .lossy: self = .lossy
        case .slow: self = .slow
        case .nobodyElse: self = .nobodyElse
        case .targetsFailed: self = .targetsFailed
        case .secureFailed: self = .secureFailed
        case .clock: self = .clock
        case .unexamined: self = .bodyUnexamined
        case .unverifiable: self = .certificateIssuer
        case .traffic: self = .endpointsUnreachable
        case .familyFailed: return nil
        }
    }
}
