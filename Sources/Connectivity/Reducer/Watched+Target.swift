internal import Evidence
internal import NetworkAddress

internal import struct RequestEngine.Proxy

extension Watched {
    /// What the model has to know of a target.
    init(_ target: Target, _ configuration: ConnectivityConfiguration) {
        let host = target.firstHost
        let address = host.flatMap { IPAddress($0) }
        self.init(
            role: target.role == .reference ? .reference : .target, name: address == nil ? host : nil,
            addresses: address.map { [$0] } ?? [], interval: configuration.interval(of: target),
            timeout: target.timeout ?? configuration.timeout, fall: configuration.fall(of: target))
        rise = configuration.rise
        weight = target.weight
        jitter = configuration.jitter(of: target)
        hasKnownAnswer = target.role == .reference || target.expectation.isKnown
        // One that follows redirects is well at a portal's page, too: it says nothing of portals.
        let showsPortals = target.isPlainHTTP && (target.redirects == nil || target.expectation.isKnown)
        transport = target.isSecure ? .secure : showsPortals ? .plainHTTP : .other
    }

    /// The first of the default references, which is only asked whether a portal answers in its place.
    static func httpWitness(_ configuration: ConnectivityConfiguration) -> Watched {
        var watched = Watched(Target.defaults[0], configuration)
        watched.role = .witness
        return watched
    }

    /// A host at a well-known address that is only asked whether anything beyond the gateway answers.
    static func witness(_ address: IPAddress, _ configuration: ConnectivityConfiguration) -> Watched {
        var watched = Watched(
            role: .witness, addresses: [address], interval: configuration.interval, timeout: configuration.timeout)
        watched.transport = .other
        return watched
    }
}

extension Expectation {
    /// Whether the right answer is known to the letter, so that another one proves a portal.
    fileprivate var isKnown: Bool { kind != .ordinary }
}

extension ConnectivityConfiguration {
    /// What is asked of what is probed.
    var watched: [Target] { probesEnabled ? targets : [] }

    /// Hosts of several operators at addresses that do not change, for what only a host beyond the gateway can tell: public
    /// name servers, which accept connections to port 53 and 443 from anywhere.
    static let witnesses = ["1.1.1.1", "8.8.8.8", "9.9.9.9", "2606:4700:4700::1111", "2001:4860:4860::8888"]
        .compactMap { IPAddress($0) }

    /// How many connections each of so many lanes may have open: the limit is for all of them together.
    func share(ofEach lanes: Int) -> Int { max(maximumProbesInFlight / max(lanes, 1), 1) }

    /// How many probes each of so many lanes may have under way.
    func limit(ofEach lanes: Int) -> Int {
        // A probe of each address may have so many connections open.
        let width = watched.contains(where: \.eachAddress) ? Probe.mostAddresses : 1
        return max(share(ofEach: lanes) / width, 1)
    }
}
