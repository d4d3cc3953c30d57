public import Reachability

/// What a caller can wait for.
public enum WaitCondition: Hashable, Sendable {
    /// A path, probed or not.
    case path
    /// A path by this medium.
    case reachability(ReachabilityStatus)
    /// This connectivity or a better one; a portal only where one answers.
    case connectivity(ConnectivityStatus)
    /// A target, by its name, that is up.
    case target(String)

    /// Whether the state is so.
    public func isMet(by event: Event) -> Bool {
        isMet(event.reachability, event.connectivity) { name in
            event.targets.contains { $0.target == name && $0.status == .up }
        }
    }

    /// The same of a state that is asked for what matters, and not put together whole.
    func isMet(
        _ reachability: ReachabilityStatus, _ connectivity: ConnectivityStatus, isUp: (_ target: String) -> Bool
    ) -> Bool {
        switch self {
        case .path: reachability.isReachable
        case .reachability(let status): reachability == status
        // A portal is no step on the way to something better: a program that waits for one wants to have its user sign in.
        case .connectivity(.portal): connectivity == .portal
        case .connectivity(let status): connectivity.rank >= status.rank
        case .target(let name): isUp(name)
        }
    }
}

extension WaitCondition: LosslessStringConvertible {
    /// A condition from the word that the command line uses: `path`, a medium, a connectivity; anything else is a target.
    public init?(_ description: String) {
        guard !description.isEmpty else { return nil }
        self =
            if description == "path" {
                .path
            } else if let status = ConnectivityStatus(rawValue: description), status.rank > ConnectivityStatus.none.rank
            {
                .connectivity(status)
            } else if let status = ReachabilityStatus(rawValue: description), status != .unknown {
                .reachability(status)
            } else {
                .target(description)
            }
    }

    public var description: String {
        switch self {
        case .path: "path"
        case .reachability(let status): status.rawValue
        case .connectivity(let status): status.rawValue
        case .target(let name): name
        }
    }
}
