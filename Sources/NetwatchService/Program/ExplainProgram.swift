package import Connectivity
package import EventLoop
import Netwatch
package import NetworkAddress
import Probing
import SystemPackage

/// `netwatch explain`: the steps of the way to something, as lines or as one line of JSON.
package struct ExplainProgram: Sendable {
    private let configuration: ConnectivityConfiguration
    private let subject: String?
    private let interface: String?
    private let family: AddressFamily?
    private let eachAddress: Bool
    private let defaultProbes: Bool
    private let isJSON: Bool

    package init(
        configuration: ConnectivityConfiguration, subject: String?, interface: String?, family: AddressFamily?,
        eachAddress: Bool, defaultProbes: Bool, isJSON: Bool
    ) {
        self.configuration = configuration
        self.subject = subject
        self.interface = interface
        self.family = family
        self.eachAddress = eachAddress
        self.defaultProbes = defaultProbes
        self.isJSON = isJSON
    }

    /// - Returns: What the first broken step means as an exit status.
    package func run(on loop: EventLoop) async throws -> ExitStatus {
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let explainer = Explainer(configuration: configuration, loop: loop)
        let explanation = try await explainer.explain(
            subject, interface: interface, family: family, eachAddress: eachAddress, defaultProbes: defaultProbes)
        let lines = explanation.description.split(separator: "\n").map { DisplayText.safe(String($0)) + "\n" }
        try await output.writeAnswer(isJSON ? explanation.jsonLine : Array(lines.joined().utf8))
        return status(explanation)
    }

    private func status(_ explanation: Explanation) -> ExitStatus {
        guard let broken = explanation.broken else { return .success }
        if broken.reason == .portal { return .portal }
        if broken.reason == .notPermitted { return .undecided }
        switch broken.kind {
        case .interface, .address, .lease, .rule, .route: return .noPath
        case .target, .host, .neighbour, .names, .firewall, .connection, .mtu, .proxy, .clock, .tls, .http, .addresses,
            .family:
            return .degraded
        }
    }
}
