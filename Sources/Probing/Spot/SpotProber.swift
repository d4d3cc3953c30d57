package import Connectivity
package import EventLoop
package import Reachability
internal import RequestEngine
internal import Resolver

/// Probes what it is asked to, when it is asked to: not by a plan, and not for the verdict.
package actor SpotProber {
    /// What a prober remembers of the targets it has seen is let go of after so many.
    private static let mostProbes: Probe.ID = 1000

    private nonisolated let loop: EventLoop
    private let trustStores = TrustStores()
    private var prober: Prober?
    /// What the prober was made for.
    private var use: Use?
    private var details: [Probe.ID: [ProbeDetail]] = [:]
    private var lastID: Probe.ID = 0

    private struct Use: Hashable {
        var path: Path
        var certificateAuthorityFile: String?
        var nameServers: [String: [String]]
        /// Which of the prober's turns it is.
        var turn: Probe.ID
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameter loop: Where probes run. It need not be the watcher's.
    package init(loop: EventLoop) {
        self.loop = loop
    }

    /// Sends a probe and waits for its end.
    ///
    /// - Parameters:
    ///   - place: The host to connect to in place of the one that the target's URL names; nil for that.
    ///   - timeout: How long it may take in all.
    ///   - path: How this host is connected now.
    ///   - configuration: Whose name servers and authorities are used.
    package func probe(
        _ target: Target, at place: String?, within timeout: Duration, path: Path,
        _ configuration: ConnectivityConfiguration
    ) async -> SpotProbe {
        lastID += 1
        let id = lastID
        var probe = Probe(
            id: id, target: target, interface: path.interface(for: target), family: target.family, timeout: timeout)
        probe.place = place
        details[id] = []
        var end = SpotProbe(await prober(path, configuration).result(of: probe))
        for detail in details.removeValue(forKey: id) ?? [] { end.take(detail) }
        return end
    }

    private func prober(_ path: Path, _ configuration: ConnectivityConfiguration) -> Prober {
        let wanted = Use(
            path: path, certificateAuthorityFile: configuration.certificateAuthorityFile,
            nameServers: configuration.nameServers.mapValues { $0.map(\.description) }, turn: lastID / Self.mostProbes)
        if let prober, use == wanted { return prober }
        let new = Prober(loop: loop, configuration: configuration, trustStores: trustStores)
        new.assumeIsolated { new in
            new.use(path)
            // The scraper has a time-out, too: once it has gone it learns nothing.
            new.doubtTime = .milliseconds(300)
            new.examine = { [weak self] id, detail in
                self?.assumeIsolated { $0.details[id]?.append(detail) }
            }
        }
        (prober, use) = (new, wanted)
        return new
    }
}
