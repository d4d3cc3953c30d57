internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Resolver
internal import Synchronization

/// One exchange of which several may tell: that it has begun, and its first word or miss. Whatever is told after that is no
/// news. It is told on the loop of the exchanges.
final class OpenExchange: Sendable {
    private let exchanges: Exchanges
    private let id: Probe.ID
    private let address: IPAddress
    private let interface: String?
    private let flow: Flow
    private let state = Mutex((hasBegun: false, departure: Departure?.none))

    init(_ id: Probe.ID, _ address: IPAddress, _ interface: String?, _ flow: Flow, of exchanges: Exchanges) {
        self.id = id
        self.address = address
        self.interface = interface
        self.flow = flow
        self.exchanges = exchanges
    }

    /// Whether anything has left for the host.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Something has left for the host.
    func begin(at time: MonotonicTime = .now) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        let departure = exchanges.assumeIsolated { $0.depart(id, to: address, by: interface, flow, at: time) }
        state.withLock { $0.departure = departure }
    }

    func hear(at time: MonotonicTime = .now) {
        guard let departure = take() else { return }
        let delay = departure.time.duration(to: time)
        exchanges.assumeIsolated { $0.tell(departure.id, heard: departure.address, after: delay) }
    }

    /// The host has refused, or a filter of this host's own has in its name: that is told when it is known.
    func refuse() {
        guard let departure = take() else { return }
        let delay = departure.time.duration(to: .now)
        exchanges.assumeIsolated { $0.keep(departure.id, refusalBy: departure.address, after: delay) }
    }

    /// A name server has told this by what it has done with a question, or left undone; of silence others have to say whether it
    /// is one.
    func take(_ word: ServerWord, heardAt: MonotonicTime?) {
        switch word {
        case .heard: hear(at: heardAt ?? .now)
        case .refused: refuse()
        case .silent: break
        case .told, .noRoute, .unsent, .void: miss(Miss(word))
        }
    }

    func miss(_ miss: Miss) {
        guard let departure = take() else { return }
        exchanges.assumeIsolated { $0.tell(departure.id, missed: departure.address, miss) }
    }

    private func take() -> Departure? {
        state.withLock { $0.departure.take() }
    }
}
