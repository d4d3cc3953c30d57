internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Synchronization

/// One exchange of which several may tell: that it has begun, and its first word or miss. Whatever is told after that is no
/// news. It stays on the prober's loop.
final class OpenExchange: Sendable {
    private let prober: Prober
    private let id: Probe.ID
    private let address: IPAddress
    private let interface: String?
    private let flow: Flow
    private let state = Mutex((hasBegun: false, departure: Departure?.none))

    init(_ id: Probe.ID, _ address: IPAddress, _ interface: String?, _ flow: Flow, of prober: Prober) {
        self.id = id
        self.address = address
        self.interface = interface
        self.flow = flow
        self.prober = prober
    }

    /// Something has left for the host.
    func begin(at time: MonotonicTime = .now) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        let departure = prober.assumeIsolated { $0.depart(id, to: address, by: interface, flow, at: time) }
        state.withLock { $0.departure = departure }
    }

    func hear() {
        guard let departure = take() else { return }
        prober.assumeIsolated { $0.tell(heard: departure) }
    }

    func miss(_ miss: Miss) {
        guard let departure = take() else { return }
        prober.assumeIsolated { $0.tell(miss, departure) }
    }

    private func take() -> Departure? {
        state.withLock { $0.departure.take() }
    }
}
