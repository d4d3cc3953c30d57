internal import Connectivity
internal import EventLoop

/// Tells refusals of this host's own filter from those of targets, one after the other: each look would see what another
/// sends. It stays on the prober's loop.
actor OwnRefusals {
    private let loop: EventLoop
    private var waiting = 0
    private var last: Task<Bool, Never>?
    /// What the last look for a port has found.
    private var found: [UInt16: Bool] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// So many looks may wait. Beyond that the last one for the port tells.
    private static let most = 8

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Whether it is this host that refuses a probe's connection to a port.
    func contain(_ refused: RefusedConnection, of probe: Probe) async -> Bool {
        guard waiting < Self.most else { return found[refused.port] ?? false }
        let (before, filter) = (last, OwnFilter(probe, loop))
        let look = Task {
            _ = await before?.value
            return await filter.refuses(refused.address, port: refused.port, tries: 8, quiet: 5)
        }
        (last, waiting) = (look, waiting + 1)
        let isOwn = await look.value
        waiting -= 1
        found[refused.port] = isOwn
        return isOwn
    }
}
