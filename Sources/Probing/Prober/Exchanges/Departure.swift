internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress

/// Something that was sent to a host, whose word is waited for.
struct Departure: Sendable {
    let id: Probe.ID
    let address: IPAddress
    let time: MonotonicTime
}

extension Prober {
    /// Tells that something has left for a host. Nil where no model listens, or no way leads there.
    func depart(
        _ id: Probe.ID, to address: IPAddress, by interface: String?, _ flow: Flow, at time: MonotonicTime = .now
    ) -> Departure? {
        guard let report, let way = way(to: address, by: interface, flow) else { return nil }
        report(.sent(id, Host(address: address, way: way)))
        return Departure(id: id, address: address, time: time)
    }

    /// Tells of the host's first word.
    func tell(heard departure: Departure?) {
        guard let departure else { return }
        report?(.heard(departure.id, departure.address, after: departure.time.duration(to: .now)))
    }

    /// Tells that there was none.
    func tell(_ miss: Miss, _ departure: Departure?) {
        guard let departure else { return }
        report?(.missed(departure.id, departure.address, miss))
    }
}
