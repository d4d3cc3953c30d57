import Foundation
import NetworkAddress
import Resolver
import SystemPackage
import TestSupport

@testable import Connectivity
@testable import Netwatch

/// A network with a portal, whose API (RFC 8908) is behind TLS at `https://check.test/api`.
struct PortalNetwork {
    let client: TestNamespace
    let upstream: Upstream
    let folder: TemporaryFolder
    private let authority: CertificateAuthority
    private let nameServer: BackgroundProcess

    /// - Parameter options: What its name server, dnsmasq, is told besides, with the folder's path.
    init(_ options: (String) -> [String] = { _ in [] }) throws {
        client = try TestNamespace()
        authority = try CertificateAuthority()
        folder = try TemporaryFolder()
        upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100, ipv6: true,
            location: """
                location / { return 204; }
                location = /api { default_type application/captive+json; alias \(folder.path)/api; }
                """, certificate: try authority.issue("check.test", CertificateRequest(names: ["DNS:check.test"])))
        nameServer = try upstream.startNameServer(options(folder.path.string))
    }

    /// What the API answers from now on.
    func answer(_ json: String) throws {
        try json.write(toFile: "\(folder.path)/api", atomically: true, encoding: .utf8)
    }

    /// One target behind the portal, and the network's name server.
    func configuration() throws -> ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("http://\(Upstream.address)/", name: "check", expectation: .noContent)
        ])
        configuration.interval = .seconds(1)
        configuration.retryDelay = .milliseconds(200)
        configuration.timeout = .seconds(10)
        configuration.certificateAuthorityFile = authority.rootFile
        configuration.nameServers["up1"] = IPAddress(upstream.uplink.gateway).map { [NameServer($0)] }
        return configuration
    }
}
