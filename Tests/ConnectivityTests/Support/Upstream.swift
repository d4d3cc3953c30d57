import Foundation
import TestSupport

/// An uplink with an Internet of its own behind it: a web server at the same address behind each uplink, and a name
/// server on its gateway that knows it as `check.test`.
final class Upstream: Sendable {
    static let address = "10.99.0.1"
    static let address6 = "fd99::1"

    let uplink: Uplink
    let web: NginxServer
    let certificate: IssuedCertificate?

    init(
        _ interface: String, number: Int, of client: TestNamespace, metric: Int, ipv6: Bool = false,
        location: String = "location / { return 204; }", certificate: IssuedCertificate? = nil, tls options: String = ""
    ) throws {
        uplink = try Uplink(interface, number: number, of: client, ipv6: ipv6)
        self.certificate = certificate
        let router = uplink.router
        // The rules are numbered so that a test can put one before that of local addresses.
        try router.ip(
            """
            address add \(Self.address)/32 dev lo
            address add \(Self.address6)/128 dev lo nodad
            """)
        for family in ["-4", "-6"] {
            try router.run("ip", family, "rule", "add", "pref", "100", "lookup", "local")
            try router.run("ip", family, "rule", "del", "pref", "0")
        }
        let tls = certificate.map {
            "server { listen 443 ssl; ssl_certificate \($0.chainFile); ssl_certificate_key \($0.keyFile); \(options) \(location) }"
        }
        web = try NginxServer(in: router, port: 80, locations: location, servers: tls ?? "")
        try uplink.addDefaultRoute(metric: metric)
        if ipv6 {
            try client.run(
                "ip", "-6", "route", "add", "default", "via", uplink.gateway6, "dev", interface, "metric", "\(metric)")
        }
    }

    /// Has a host of the Internet stand beyond the gateway: it answers for its address, and refuses.
    func startInternet() throws {
        try uplink.router.ip("address add 1.1.1.1/32 dev lo")
    }

    /// Nothing is forwarded any more, whatever it is for; the gateway itself answers.
    func cutLine() throws {
        try uplink.router.ip(
            """
            rule add pref 5 iif router to \(uplink.gateway) lookup local
            rule add pref 6 iif router blackhole
            """)
    }

    /// Starts the gateway's name server, which may have more options.
    func startNameServer(_ more: String...) throws -> BackgroundProcess {
        try startNameServer(more)
    }

    func startNameServer(_ more: [String]) throws -> BackgroundProcess {
        let arguments = [
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
            "--listen-address=\(uplink.gateway)", "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/",
            "--host-record=check.test,\(Self.address),\(Self.address6)",
        ]
        let server = try uplink.router.start(arguments + more)
        try FreePort.waitForListener("-u", "sport = :53", in: uplink.router)
        return server
    }

    /// Everything for the web server disappears without a word, from either family or one; the carrier stays.
    func dropAll(_ families: [String] = ["-4", "-6"]) throws {
        for family in families {
            try uplink.router.run(
                "ip", family, "rule", "add", "pref", "5", "iif", "router", "to", target(family), "blackhole")
        }
    }

    func restore(_ families: [String] = ["-4", "-6"]) throws {
        for family in families { try uplink.router.run("ip", family, "rule", "del", "pref", "5") }
    }

    private func target(_ family: String) -> String { family == "-4" ? Self.address : Self.address6 }

    /// The gateway stops answering to ARP.
    func silenceGateway() throws {
        try uplink.router.ip("link set router arp off")
        try uplink.client.ip("neigh flush dev \(uplink.interface)")
    }
}
