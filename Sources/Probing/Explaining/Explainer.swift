public import Connectivity
public import EventLoop
public import NetworkAddress
internal import Reachability
internal import Resolver

/// Finds out how this host reaches something, and where the way is broken.
public struct Explainer: Sendable {
    private let configuration: ConnectivityConfiguration
    private let loop: EventLoop
    private let hostsFile: String

    public init(configuration: ConnectivityConfiguration = ConnectivityConfiguration(), loop: EventLoop) {
        self.init(configuration: configuration, loop: loop, hostsFile: "/etc/hosts")
    }

    package init(configuration: ConnectivityConfiguration, loop: EventLoop, hostsFile: String) {
        self.configuration = configuration
        self.loop = loop
        self.hostsFile = hostsFile
    }

    /// Looks at each step of the way to a URL or a host, live, and stops at the first that is broken. Where that is one of
    /// the way it asks whether anything else works from here, in at most two seconds more, and where the subject sends to
    /// another site, whether the first of ``Target/defaults`` is answered for as well; nothing but the subject where the
    /// configuration has no probe sent.
    ///
    /// - Parameters:
    ///   - subject: A URL, or a host, which is asked in plain HTTP; nil for the first of the configuration's targets.
    ///   - interface: The interface to go by; nil for the one the kernel chooses.
    ///   - family: The only family to use; nil for either.
    ///   - eachAddress: Whether to ask every address of its name, also where the target does not say so.
    ///   - defaultProbes: Whether hosts of the Internet may be asked that the configuration does not name, where none of its
    ///     own is known by an address.
    public func explain(
        _ subject: String? = nil, interface: String? = nil, family: AddressFamily? = nil,
        eachAddress: Bool = false, defaultProbes: Bool = true
    ) async throws(ConnectivityError) -> Explanation {
        var target = try target(subject)
        // A proxy looks the name up itself.
        if eachAddress, target.proxy == nil { target.eachAddress = true }
        // Without descriptors nothing below could be asked, and everything would seem broken.
        if let shortage = DescriptorShortage.found() {
            return Explanation(subject: URLParts.withoutUser(target.url), steps: [shortage.step])
        }
        let monitor = PathMonitor(loop: loop)
        let files = NameFiles(hosts: hostsFile)
        let prober = Prober(loop: loop, configuration: configuration, files: files)
        do {
            let path = try await monitor.start()
            await monitor.stop()
            await prober.use(path)
            let probe = Probe(
                id: 0, target: target, interface: interface ?? path.interface(for: target),
                family: family ?? target.family,
                timeout: target.timeout ?? configuration.timeout)
            if let misfit = try Subject(of: probe, by: path).misfit {
                return Explanation(subject: URLParts.withoutUser(target.url), steps: [misfit])
            }
            let inquiry = try SubjectInquiry(about: probe, by: path, prober, files: files)
            let found = await inquiry.look()
            if found.isPerhapsPortal, !found.way.isLocal, defaultProbes, configuration.probesEnabled,
                configuration.asksWitnesses
            {
                return Explanation(of: URLParts.withoutUser(target.url), await inquiry.askReference())
            }
            let explanation = Explanation(of: URLParts.withoutUser(target.url), found)
            // What cannot be asked would seem not to answer, and of this host's own addresses no other host tells anything.
            guard configuration.probesEnabled, explanation.isBrokenOnTheWay, !found.way.isLocal,
                DescriptorShortage.found(needing: DescriptorShortage.ofElsewhere) == nil
            else { return explanation }
            let facts = await inquiry.lookElsewhere(references(besides: target, defaultProbes))
            return Explanation(of: URLParts.withoutUser(target.url), facts)
        } catch let error as TargetError {
            throw .target(error)
        } catch {
            throw .path(error)
        }
    }

    /// The owner's own hosts go before those of the Internet.
    private func references(besides target: Target, _ defaultProbes: Bool) -> [Reference] {
        let own = Reference.own(configuration.targets.filter { $0.url != target.url })
        return own.isEmpty && defaultProbes && configuration.asksWitnesses ? Reference.defaults : own
    }

    private func target(_ subject: String?) throws(ConnectivityError) -> Target {
        do throws(TargetError) {
            guard let subject else { return configuration.targets.first ?? Target.defaults[0] }
            if let known = configuration.targets.first(where: { $0.name == subject || $0.url == subject }) {
                return known
            }
            return try Target(subject.contains("://") ? subject : try Self.url(host: subject))
        } catch {
            throw .target(error)
        }
    }

    private static func url(host: String) throws(TargetError) -> String {
        // A zone is refused with words of its own, before anything takes the address for a URL.
        if case .v6(let address)? = IPAddress(String(host.prefix { $0 != "%" })) {
            guard !host.contains("%") else { throw .zone(url: "http://[\(host)]/") }
            return "http://[\(address)]/"
        }
        return host.contains("/") ? "http://\(host)" : "http://\(host)/"
    }
}

extension Explanation {
    /// Whether nothing has come from the subject: what answers shows that the way to it is well.
    fileprivate var isBrokenOnTheWay: Bool {
        switch broken?.kind {
        case .host?, .interface?, .address?, .lease?, .rule?, .route?, .neighbour?, .names?, .firewall?, .connection?,
            .mtu?, .proxy?:
            true
        case .target?, .clock?, .tls?, .http?, .addresses?, .family?, nil: false
        }
    }
}
