/// How the host's own TCP connections are looked at, which spares probes and tells of a silent death before a probe does.
public struct TrafficConfiguration: Hashable, Sendable, Codable {
    /// How often they are looked at while all is well, so that a death is noticed between two probes. Nil to look only where
    /// a probe is due or has failed: then nothing wakes that would not wake anyway.
    public var interval: Duration?

    public init(interval: Duration? = nil) {
        self.interval = interval
    }

    /// What an interval may be. Half a second is short enough to tell of a death within one: the kernel takes 0.2 s or more to
    /// send again what was not answered.
    public static let intervals = Duration.milliseconds(50)...Duration.seconds(3600)
}
