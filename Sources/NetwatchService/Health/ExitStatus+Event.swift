import Connectivity
import Reachability

extension ExitStatus {
    /// What a state means as an exit status.
    init(_ event: Event, isProbed: Bool) {
        guard event.reachability != .unknown else {
            self = .undecided
            return
        }
        guard event.reachability.isReachable else {
            self = .noPath
            return
        }
        self =
            switch event.connectivity {
            case .full: .success
            case .none: .noPath
            case .portal: .portal
            case .local, .limited: .degraded
            case .unknown: isProbed ? .undecided : .success
            }
    }
}
