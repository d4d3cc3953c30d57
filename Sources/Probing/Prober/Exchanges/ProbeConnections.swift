internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine

/// Tells of the connections that libcurl makes for a probe.
final class ProbeConnections: ConnectionObserver {
    private let exchanges: Exchanges
    private let probe: Probe.ID
    private let interface: String?

    init(of probe: Probe, to exchanges: Exchanges) {
        self.exchanges = exchanges
        self.probe = probe.id
        interface = probe.interface
    }

    func connecting(to address: IPAddress, port: UInt16, at time: MonotonicTime) -> Bool {
        exchanges.assumeIsolated {
            $0.depart(probe, to: address, by: interface, .tcp(port: Int(port)), at: time) != nil
        }
    }

    func heard(_ address: IPAddress, after delay: Duration, isRefusal: Bool) {
        exchanges.assumeIsolated { exchanges in
            if isRefusal {
                exchanges.keep(probe, refusalBy: address, after: delay)
            } else {
                exchanges.tell(probe, heard: address, after: delay)
            }
        }
    }

    func missed(_ address: IPAddress, _ miss: ConnectionMiss) {
        exchanges.assumeIsolated { $0.tell(probe, missed: address, Miss(miss)) }
    }
}

extension Miss {
    fileprivate init(_ miss: ConnectionMiss) {
        self =
            switch miss {
            case .told: .told
            case .silent: .silent
            case .abandoned: .void
            }
    }
}
