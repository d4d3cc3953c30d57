public import EventLoop
public import NetworkAddress
internal import Reachability

/// Finds out how this host reaches something, and where the way is broken.
public struct Explainer: Sendable {
    private let configuration: ConnectivityConfiguration
    private let loop: EventLoop

    public init(configuration: ConnectivityConfiguration = ConnectivityConfiguration(), loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Looks at each step of the way to a URL or a host, live, and stops at the first that is broken.
    ///
    /// - Parameters:
    ///   - subject: A URL, or a host, which is asked in plain HTTP; nil for the first of the configuration's targets.
    ///   - interface: The interface to go by; nil for the one the kernel chooses.
    ///   - family: The only family to use; nil for either.
    ///   - eachAddress: Whether to ask every address of its name, also where the target does not say so.
    public func explain(
        _ subject: String? = nil, interface: String? = nil, family: AddressFamily? = nil,
        eachAddress: Bool = false
    ) async throws(ConnectivityError) -> Explanation {
        var target = try target(subject)
        target.eachAddress = target.eachAddress || eachAddress
        // Without descriptors nothing below could be asked, and everything would seem broken.
        if let shortage = DescriptorShortage.found {
            return Explanation(subject: target.url, steps: [shortage.step])
        }
        let monitor = PathMonitor(loop: loop)
        let prober = Prober(loop: loop, configuration: configuration)
        do {
            await prober.use(try await monitor.start())
            await monitor.stop()
            let probe = Probe(
                id: 0, target: target, interface: interface ?? target.interface, family: family ?? target.family,
                timeout: target.timeout ?? configuration.timeout)
            return Explanation(of: target.url, try await prober.facts(about: probe))
        } catch let error as TargetError {
            throw .target(error)
        } catch {
            throw .path(error)
        }
    }

    private func target(_ subject: String?) throws(ConnectivityError) -> Target {
        do throws(TargetError) {
            guard let subject else { return configuration.targets.first ?? Target.defaults[0] }
            if let known = configuration.targets.first(where: { $0.name == subject || $0.url == subject }) {
                return known
            }
            return try Target(subject.contains("://") ? subject : Self.url(host: subject))
        } catch {
            throw .target(error)
        }
    }

    private static func url(host: String) -> String {
        if case .v6? = IPAddress(host) { return "http://[\(host)]/" }
        return host.contains("/") ? "http://\(host)" : "http://\(host)/"
    }
}
