internal import Connectivity
internal import EventLoop
internal import Glibc
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import SystemPackage

/// What was found out about the way to one subject, as far as it was asked: the input of ``Explanation``.
struct ExplanationFacts: Sendable {
    let subject: Subject
    var names = NameFacts()
    var way = WayFacts()
    var host = HostFacts()
    var farEnd = FarEndFacts()
    /// Whether anything else works from here.
    var elsewhere: Elsewhere?

    init(about subject: Subject) {
        self.subject = subject
    }

    /// Whether the subject sends elsewhere as a portal would have it do, and as its own server may. 511 is a portal's alone.
    var isPerhapsPortal: Bool {
        subject.target.expectation.kind == .ordinary && farEnd.result?.outcome == .portal
            && farEnd.result?.statusCode != 511
    }
}

/// What the host's name is.
struct NameFacts: Sendable {
    /// The addresses of the host, or why there are none.
    var addresses: Result<[IPAddress], ProbeFailure>?
    /// The name servers that were asked.
    var servers: [String] = []
    /// The one of them that runs on this host itself and asks others, where it gave no address.
    var stub: IPAddress?
    /// Whether the name is there, and has no address of the only family that may be used.
    var lacksFamily = false
    /// How long it took to look the name up.
    var time = Duration.zero
    /// Where the addresses come from that no name server was asked for; nil where one was.
    var ownSource: String?
    /// The line of `/etc/hosts` that they come from; nil where they do not.
    var hostsLine: Int?
    /// What each name server does with the question, where none gave an answer.
    var serverAnswers: [ServerAnswer] = []
    /// The name that they were asked for: the host's, with the search domain in which it failed; nil where they were
    /// not asked for the host.
    var asked: String?
    /// What a name server says that contradicts the addresses; nil where they agree, or there is one server only.
    var disagreement: ResolverDisagreement?
}

/// Which way packets go, as the kernel says.
struct WayFacts: Sendable {
    /// Under which prefix the network translates IPv4 (RFC 7050); asked only where this host has no IPv4 of its own.
    var translation: IPAddress?
    /// Where packets go first: the host, or the name server that has to be asked for it.
    var destination: IPAddress?
    /// Which packets go there; nil where no rule looks at that.
    var flow: Flow?
    /// The kernel's answer for that.
    var route: RouteAnswer?
    /// The link it leaves by.
    var link: Interface?
    /// Its name where it is none that leads out.
    var device: String?
    /// Whether the subject is an address of this host's own, and the loopback is down, by which those are reached.
    var isLoopbackDown = false
    /// The rules of the destination's family, in their order.
    var rules: [RuleMessage] = []
    /// A table that an administrator made and that rejects the destination.
    var rejectingTable: UInt32?
    /// The links of this host, where the path has none.
    var links: [LinkMessage] = []
    /// An interface that is dead and whose route of a family goes before those of others; nil where there is a path.
    var deadPreference: (interface: Interface, family: AddressFamily)?
    /// The address that its packets carry, as the kernel has it.
    var source: AddressMessage?
    /// The same address, where rules of IPv4 look at it: the way was asked for with it, and they may reject that.
    var sender: IPAddress?
    /// Whose packets they are: rules tell users apart.
    var userID: UInt32 = getuid()
    /// When all this was asked.
    var time = MonotonicTime.now
    /// What the neighbour table says of the next hop after the probe.
    var neighbour: NeighbourMessage?
    /// When it said so.
    var neighbourTime = MonotonicTime.now
    /// Where the packets go on the link: the gateway, or the destination itself.
    var nextHop: IPAddress?
    /// The next router; nil where the destination is on the link, or the link has no addresses of its own.
    var gateway: IPAddress?

    /// Whether the destination is an address of this host's own.
    var isLocal: Bool {
        guard case .route(let match, _)? = route else { return false }
        return match.type == .local
    }
}

/// What this host itself does to what is sent.
struct HostFacts: Sendable {
    /// What its kernel says to a packet for the subject, where it lets none out.
    var refusal: Errno?
    /// Whether it refuses the connection: the refusal came over its loopback.
    var refusesConnection = false
    /// What of a connection to the subject, or to its name server, it drops itself.
    var drops: OwnDrops?
    /// Where no local port is left.
    var portShortage: PortShortage?
}

/// What the far end does.
struct FarEndFacts: Sendable {
    var result: ProbeResult?
    /// What became of a reference, where the subject is perhaps not what answers; nil where none was asked.
    var reference: ProbeResult?
    /// Whether the server asks for a certificate of the client's, and none was shown.
    var wantsClientCertificate = false
    /// Whether something accepts connections where the proxy should be; nil where that was not asked.
    var isProxyListening: Bool?
    /// Whether short packets are answered where the others are not.
    var smallPacketsPass = false
    /// What time it is at the subject, where its certificate seems to be of another time, in seconds since 1970.
    var serverTime: Int64?
    /// What each address does, where the target asks for that and the name can be used.
    var eachAddress: [AddressResult]?
    /// The same probe by the other family, where the first was well and the host has addresses of both.
    var otherFamily: ProbeResult?

    /// How long a phase of the probe took, as the end of a finding.
    func time(_ phase: Phase) -> String {
        guard let nanoseconds = result?.phaseNanoseconds[phase] else { return "" }
        let tenths = nanoseconds / 100_000
        return " in \(tenths / 10).\(tenths % 10) ms"
    }
}
