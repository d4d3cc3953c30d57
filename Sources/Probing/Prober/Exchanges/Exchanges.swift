internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// Something that was sent to a host, whose word is waited for.
struct Departure: Sendable {
    let id: Probe.ID
    let address: IPAddress
    let time: MonotonicTime
}

/// What is sent to hosts and heard of them, and by which way it goes. It stays on the prober's loop.
actor Exchanges {
    private nonisolated let loop: EventLoop
    private var ways = WayFinder()
    private var report: (@Sendable (ProbeReport) -> Void)?
    /// Refusals of which it is not known yet whose they are: a host's, or those of a filter of this host's own.
    private var refusals: [Probe.ID: [(address: IPAddress, delay: Duration)]] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
        self.loop = loop
    }

    // MARK: What is told of them

    /// Whether anything listens: what is told is of no interest before that.
    var areWatched: Bool { report != nil }

    /// Has them told while they go on, on the loop.
    func watch(_ report: @escaping @Sendable (ProbeReport) -> Void) { self.report = report }

    /// Tells that something has left for a host. Nil where no model listens, or no way leads there.
    func depart(
        _ id: Probe.ID, to address: IPAddress, by interface: String?, _ flow: Flow, at time: MonotonicTime
    ) -> Departure? {
        guard let report, let way = ways.way(to: address, by: interface, flow) else { return nil }
        report(.sent(id, Host(address: address, way: way)))
        return Departure(id: id, address: address, time: time)
    }

    /// Tells of a host's first word.
    func tell(_ id: Probe.ID, heard address: IPAddress, after delay: Duration) {
        report?(.heard(id, address, after: delay))
    }

    /// Keeps what looks like a host's refusal until `release`.
    func keep(_ id: Probe.ID, refusalBy address: IPAddress, after delay: Duration) {
        if report != nil { refusals[id, default: []].append((address, delay)) }
    }

    /// Whose refusal is kept.
    func refuser(of id: Probe.ID) -> IPAddress? { refusals[id]?.first?.address }

    /// Tells what was kept of a probe.
    ///
    /// - Parameter areOwn: Whether this host itself has refused, so that nothing was heard of the others.
    func release(_ id: Probe.ID, areOwn: Bool) {
        guard !refusals.isEmpty, let kept = refusals.removeValue(forKey: id) else { return }
        for refusal in kept {
            if areOwn {
                tell(id, missed: refusal.address, .void)
            } else {
                tell(id, heard: refusal.address, after: refusal.delay)
            }
        }
    }

    /// Tells that there was none.
    func tell(_ id: Probe.ID, missed address: IPAddress, _ miss: Miss) {
        report?(.missed(id, address, miss))
    }

    // MARK: By which way they go

    /// Takes note of another path.
    func use(_ path: Path) { ways.use(path) }

    /// The way of packets to an address; nil where there is none.
    func way(to address: IPAddress, by interface: String?, _ flow: Flow) -> Way? {
        ways.way(to: address, by: interface, flow)
    }

    /// Whether the kernel routes packets to an address by an interface; nil where the path does not have that.
    func hasRoute(to address: IPAddress, by interface: String) -> Bool? { ways.hasRoute(to: address, by: interface) }

    /// An interface's name; nil where the kernel has none of that number.
    func name(of index: UInt32) -> String? { ways.name(of: index) }

    /// The same result, with what its silence was due to where this host can tell.
    ///
    /// - Parameter servers: The name servers that the probe asked by its interface, where it failed by their silence.
    func diagnose(_ result: ProbeResult, _ probe: Probe, silent servers: [IPAddress] = []) -> ProbeResult {
        ways.diagnose(result, probe, silent: servers)
    }
}
