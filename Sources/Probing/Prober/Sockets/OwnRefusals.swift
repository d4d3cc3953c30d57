internal import EventLoop
internal import NetworkAddress

/// Tells refusals of this host's own filter from those of targets, one after the other: each look would see what another
/// sends. It stays on the prober's loop.
actor OwnRefusals {
    private let loop: EventLoop
    private var waiting = 0
    private var last: Task<Bool?, Never>?
    /// The last look for each port, as long as it goes on.
    private var looks: [UInt16: Task<Bool?, Never>] = [:]
    /// When this host was last seen to refuse connections to a port.
    private var seen: [UInt16: MonotonicTime] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// So many looks may wait. Beyond that the last one for a port tells.
    private static let most = 8

    /// Enough for a look while the same filter rejects probes of many targets, each of which moves the counter, too.
    private static let tries = 24

    /// For how long what was seen stands for a look that cannot tell, on a busy host or beside others that are refused.
    private static let memory = Duration.seconds(15)

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Whether it is this host that refuses connections to a port of another.
    func contain(_ address: IPAddress, port: UInt16, by interface: String?) async -> Bool {
        if waiting >= Self.most, let look = looks[port] { return tell(await look.value, port: port) }
        let (before, filter) = (last, OwnFilter(by: interface, loop))
        // On the loop: Swift's own threads want descriptors, of which there may be none, and know no namespace.
        let look = Task(executorPreference: loop) {
            _ = await before?.value
            return await filter.refuses(address, port: port, tries: Self.tries, quiet: 5)
        }
        (last, waiting) = (look, waiting + 1)
        looks[port] = look
        defer {
            waiting -= 1
            // What has ended tells of then, and not of now.
            if looks[port] == look { looks[port] = nil }
        }
        return tell(await look.value, port: port)
    }

    private func tell(_ isOwn: Bool?, port: UInt16) -> Bool {
        switch isOwn {
        case true?: seen[port] = .now
        case false?: seen[port] = nil
        case nil: break
        }
        return isOwn ?? seen[port].map { $0.duration(to: .now) < Self.memory } ?? false
    }
}
