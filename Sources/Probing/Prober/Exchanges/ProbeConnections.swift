internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine

/// Tells of the connections that libcurl makes for a probe.
final class ProbeConnections: ConnectionObserver {
    private let prober: Prober
    private let probe: Probe.ID
    private let interface: String?

    init(of probe: Probe, to prober: Prober) {
        self.prober = prober
        self.probe = probe.id
        interface = probe.interface
    }

    func connecting(to address: IPAddress, port: UInt16, at time: MonotonicTime) -> Bool {
        prober.assumeIsolated { prober in
            prober.depart(probe, to: address, by: interface, .tcp(port: Int(port)), at: time) != nil
        }
    }

    func heard(_ address: IPAddress, after delay: Duration) {
        prober.assumeIsolated { $0.report?(.heard(probe, address, after: delay)) }
    }

    func missed(_ address: IPAddress, _ miss: ConnectionMiss) {
        prober.assumeIsolated { $0.report?(.missed(probe, address, Miss(miss))) }
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
