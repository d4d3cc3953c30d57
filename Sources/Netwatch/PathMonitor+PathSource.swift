public import Reachability
public import RequestEngine

/// A path monitor tells a ``RequestCore/ConnectivityRetrier`` when there is a path, so that requests wait for it. It must
/// have been started; once it is stopped, requests that wait fail as they had.
extension PathMonitor: PathSource {
    public nonisolated func paths() -> AsyncMapSequence<PathUpdates, Bool> {
        updates.map { $0.path.status.isReachable }
    }
}
