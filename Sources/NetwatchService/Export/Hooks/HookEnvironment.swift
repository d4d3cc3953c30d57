import Connectivity
import Netwatch
import Reachability

/// The environment of a hook: of the service's own, which may have secrets in it, it gets nothing.
enum HookEnvironment {
    static func variables(of event: Event, _ origin: EventOrigin) -> [String] {
        [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
            "NETWATCH_EVENT_KIND=\(event.kind.rawValue)", "NETWATCH_SEQ=\(event.seq)", "NETWATCH_EPOCH=\(origin.epoch)",
            "NETWATCH_REACHABILITY=\(event.reachability.rawValue)",
            "NETWATCH_CONNECTIVITY=\(event.connectivity.rawValue)",
        ]
    }
}
