import Connectivity
import EventLoop
import Foundation
import NetworkAddress
import Resolver
import SystemPackage
import TestSupport

@testable import Probing

/// A host in a namespace of its own, and what is around it, where faults are made.
final class FaultWorld {
    let client: TestNamespace
    let loop: EventLoop
    /// What to explain, and by which interface.
    var subject = "http://\(Upstream.address)/"
    var interface: String?
    var configuration = ConnectivityConfiguration()
    /// What stands in the host's file of names.
    var hosts = "127.0.0.1 localhost\n"
    /// Whatever has to live as long as the fault.
    private var kept: [AnyObject] = []

    static let authority = Result { try CertificateAuthority() }

    init() throws {
        client = try TestNamespace()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    func keep(_ object: AnyObject) { kept.append(object) }

    // MARK: The surroundings

    /// The ordinary uplink with a server behind it.
    @discardableResult
    func upstream(
        ipv6: Bool = false, location: String = "location / { return 204; }", certificate: IssuedCertificate? = nil,
        tls options: String = ""
    ) throws -> Upstream {
        let upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100, ipv6: ipv6, location: location, certificate: certificate,
            tls: options)
        keep(upstream)
        return upstream
    }

    /// The same with a name server, and the server asked by its name.
    @discardableResult
    func named(
        _ url: String = "http://check.test/", ipv6: Bool = false, location: String = "location / { return 204; }",
        certificate: IssuedCertificate? = nil, tls options: String = "", dns: String...
    ) throws -> Upstream {
        let upstream = try upstream(ipv6: ipv6, location: location, certificate: certificate, tls: options)
        keep(try upstream.startNameServer(dns))
        ask(url, at: upstream.uplink.gateway)
        return upstream
    }

    /// Has a URL asked by the uplink and its name servers.
    func ask(_ url: String, at servers: String...) {
        subject = url
        interface = "up1"
        configuration.nameServers["up1"] = servers.compactMap { IPAddress($0) }.map { NameServer($0) }
    }

    /// Has a name asked of the uplink's name server and of a second one, which has such an answer.
    func askTwo(_ upstream: Upstream, second answer: String) throws {
        try upstream.uplink.router.ip("address add 10.1.0.3/24 dev router")
        keep(
            try upstream.uplink.router.start(
                "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
                "--listen-address=10.1.0.3", "--bind-interfaces", "--no-resolv", "--no-hosts", answer))
        try FreePort.waitForListener("-u", "src 10.1.0.3 sport = :53", in: upstream.uplink.router)
        ask("http://check.test/", at: "10.1.0.1", "10.1.0.3")
    }

    /// A server with such a certificate, asked by its name.
    func secured(
        _ certificate: (CertificateAuthority) throws -> IssuedCertificate, tls options: String = "",
        location: String = "location / { return 204; }"
    ) throws -> Upstream {
        let authority = try Self.authority.get()
        configuration.certificateAuthorityFile = authority.rootFile
        return try named(
            "https://check.test/", location: location, certificate: try certificate(authority), tls: options)
    }

    /// Has the server asked through a proxy.
    func proxied(_ proxy: String) throws {
        var target = try Target(subject)
        target.proxy = proxy
        configuration.targets = [target]
    }

    /// Runs a Python program in a namespace, once it has printed a line.
    func python(_ program: String, in namespace: TestNamespace) throws {
        let process = try namespace.start("python3", "-u", "-c", program)
        keep(process)
        guard process.becomesReady({ !process.output.isEmpty }) else {
            throw ProgramRun.NotSeen(description: "it does not run: \(program)")
        }
    }

    /// Loads rules of nftables for what the host sends.
    func filterOutput(_ rule: String) throws { try filter("output", rule) }

    /// Has a rule decide about what comes to this host.
    func filterInput(_ rule: String) throws { try filter("input", rule) }

    private func filter(_ hook: String, _ rule: String) throws {
        try client.run("nft", "add table inet own; add chain inet own rules { type filter hook \(hook) priority 0; }")
        try client.run("nft", "add rule inet own rules \(rule)")
    }

    /// A tunnel that takes everything and brings nothing back, before the uplink.
    func deadTunnel() throws {
        try python(
            """
            import fcntl, os, struct
            tunnel = os.open("/dev/net/tun", os.O_RDWR)
            fcntl.ioctl(tunnel, 0x400454ca, struct.pack("16sH22x", b"tun0", 0x1001))
            print("ready")
            while True: os.read(tunnel, 4096)
            """, in: client)
        try client.ip(
            """
            address add 10.8.0.2/24 dev tun0
            link set tun0 up
            route add default dev tun0 metric 50
            """)
    }

    // MARK: The question

    /// Explains as a user without any privilege.
    func explain() async throws -> (explanation: Explanation, time: Duration) {
        configuration.timeout = .seconds(3)
        loop.dropPrivileges()
        let start = ContinuousClock.now
        let folder = try TemporaryFolder()
        let file = try folder.write(hosts.utf8, to: "hosts")
        let explainer = Explainer(configuration: configuration, loop: loop, hostsFile: file.string)
        let explanation = try await explainer.explain(subject, interface: interface)
        return (explanation, start.duration(to: .now))
    }
}
