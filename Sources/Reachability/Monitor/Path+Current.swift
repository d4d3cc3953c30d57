public import Netlink

extension Path {
    /// The path at this moment, as a ``PathMonitor`` with this configuration would tell it.
    ///
    /// Synchronous, some hundred microseconds; for a program that asks once. It asks in the calling thread's network
    /// namespace.
    public static func current(
        _ configuration: PathMonitor.Configuration = PathMonitor.Configuration()
    ) throws(NetlinkError) -> Path {
        try MonitorSession(configuration).pathOnce()
    }
}

extension MonitorSession {
    fileprivate func pathOnce() throws(NetlinkError) -> Path {
        _ = try read(because: nil)
        let path = try derive().path
        return learnSpeeds() ? try derive().path : path
    }
}
