public import struct Resolver.NameServer

/// What a ``ConnectivityMonitor`` probes, when, and how it judges.
public struct ConnectivityConfiguration: Hashable, Sendable, Codable {
    /// What is probed. No probe is sent where it is empty.
    public var targets: [Target] = Target.defaults
    /// Whether anything is probed at all. Without probes connectivity is `none` or `unknown`.
    public var probesEnabled = true
    /// From one probe of a target to the next while all is well. While it is the default, a minute, the default targets take
    /// turns: each minute one in plain HTTP, each half hour those over TLS, so that a day of them is some 5 MB.
    public var interval: Duration = Self.usualInterval
    static let usualInterval = Duration.seconds(60)
    /// The part of each wait that is left to chance, from 0 to 1, so that targets and hosts do not probe in step.
    public var jitter = 0.1
    /// How soon a target that is down is asked again; it doubles with each failure after the first, up to ``interval``.
    /// Until it is down failures are confirmed a second apart, a longer silence as soon as it has ended.
    public var retryDelay: Duration = .seconds(1)
    /// How long one probe may take in all.
    public var timeout: Duration = .seconds(3)
    /// How many successes in a row bring a target up again.
    public var rise = 1
    /// How many failures in a row, sent at least a second apart, bring a target down. References are steadied by their
    /// number instead.
    public var fall = 2
    /// After how many intervals without a new result a target, and with it the verdict, is unknown again: time in which
    /// nothing was probed (a process that was stopped, a host too busy to probe) counts neither as up nor as down.
    public var staleIntervals = 2
    /// How flapping is damped; nil to tell every change. The undamped status is in ``Event/observed``.
    public var damping: FlapDamping.Configuration? = nil
    /// How many of the caller's targets must be well. References are judged by their majority, those
    /// over TLS by half.
    public var policy = ConnectivityPolicy.all
    /// Whether probes run over every interface that could carry traffic out, each bound to it, so that a spare is known to
    /// be good before it is needed. Each family is then judged on its own.
    public var perInterface = false
    /// Whether each family is probed and judged on its own.
    public var perFamily = false
    /// Which uplinks must be well where they are judged on their own.
    public var uplinkPolicy = UplinkPolicy.active
    /// The name servers of interfaces, by name, for probes that are bound to them. Where an interface has none here, those
    /// of its manager (systemd-networkd) are asked, else the system's, always over the interface.
    public var nameServers: [String: [NameServer]] = [:]
    /// The addresses of the portals' APIs (RFC 8908) of networks that do not advertise theirs, by the interface's name: each
    /// counts as if it had been advertised there, in the place of any that is. They have to be HTTPS, or
    /// `urn:ietf:params:capport:unrestricted` for a network that has none.
    public var portalAPIs: [String: String] {
        get { ownPortalAPIs ?? [:] }
        set { ownPortalAPIs = newValue.isEmpty ? nil : newValue }
    }
    /// Nil for none: recordings from before there were any can be read.
    private var ownPortalAPIs: [String: String]? = nil
    /// The interfaces on which data costs money, by name. What is well is probed ``meteredFactor`` times as seldom while its
    /// probes leave by one of these; what fails is asked as often as elsewhere.
    public var metered: [String] {
        get { ownMetered ?? [] }
        set { ownMetered = newValue.isEmpty ? nil : newValue }
    }
    private var ownMetered: [String]? = nil
    /// How much longer the intervals are on a metered interface.
    public static let meteredFactor = 10
    /// The file of trusted certificate authorities in PEM; nil for the system's.
    public var certificateAuthorityFile: String? = nil
    /// Whether hosts at well-known addresses of the Internet may be asked for a word (a TCP connection that is reset at once)
    /// where only a host beyond the gateway can tell whether the way is dead or the target, and the first of
    /// ``Target/defaults`` where a portal may be between. They are asked in doubt only.
    public var asksWitnesses: Bool {
        get { ownAsksWitnesses ?? true }
        set { ownAsksWitnesses = newValue ? nil : false }
    }
    private var ownAsksWitnesses: Bool? = nil
    /// How the host's own TCP connections are looked at beside the probes; nil for not at all.
    public var traffic: TrafficConfiguration? = nil
    /// How many probes may be under way at one time; the others wait. Where several ways are probed, each may have an
    /// even share of them, and one at least.
    public var maximumProbesInFlight = 256

    public init() {}

    /// Probes these targets.
    public init(targets: [Target]) {
        self.targets = targets
    }

    /// Watches the path only.
    public static var withoutProbes: ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration()
        configuration.probesEnabled = false
        return configuration
    }
}

/// Which uplinks' verdicts make the one of the host.
public enum UplinkPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Those that traffic leaves by now.
    case active
    /// The best of all.
    case any
    /// All of them.
    case all
}
