import Connectivity
import TestSupport

@testable import Probing

extension Fault {
    /// What this host does itself: rules for users, its firewall, its ports, its file of names.
    static let ofThisHost =
        ["prohibit", "unreachable", "blackhole"].flatMap { [userRule($0), userRule($0, named: true)] }
        + ["reject", "reject with tcp reset"].map(rejection) + [
            Fault(
                "firewall drops one port", "nft: `tcp dport 80 drop` on output", at: .firewall, .connectTimeout,
                "nft list ruleset", advice: "as root: nft list ruleset",
                words: ["drops what is sent to 10.99.0.1 port 80", "TCPRetransFail", "yes: "]
            ) {
                try $0.upstream().startInternet()
                try $0.filterOutput("tcp dport 80 drop")
            },
            Fault(
                "firewall drops one host", "nft: `ip daddr 10.99.0.1 drop` on output", at: .firewall, .unreachable,
                "nft list ruleset", advice: "as root: nft list ruleset",
                words: [
                    "drops what is sent to 10.99.0.1 port 80", "(fault: this host's own firewall)", "1.1.1.1 answers",
                ]
            ) {
                try $0.upstream().startInternet()
                try $0.filterOutput("ip daddr \(Upstream.address) drop")
            },
            Fault(
                "firewall drops questions for names", "nft: `udp dport 53 drop` on output", at: .firewall, .unreachable,
                "nft list ruleset", advice: "as root: nft list ruleset", words: ["to 10.1.0.1 port 53"]
            ) {
                try $0.named()
                try $0.filterOutput("udp dport 53 drop")
            },
            Fault(
                "firewall drops answers", "nft: `iifname \"up1\" drop` on input", at: .firewall, .connectTimeout,
                "nft list ruleset", advice: "as root: nft list ruleset",
                words: [
                    "drops what comes back from 10.99.0.1 port 80", "InReceives", "(fault: this host's own firewall)",
                ]
            ) {
                try $0.upstream().startInternet()
                try $0.filterInput("iifname up1 drop")
            },
            Fault(
                "firewall drops answers of IPv6", "nft: `ip6 saddr fd99::1 drop` on input", at: .firewall,
                .connectTimeout, "nft list ruleset", advice: "as root: nft list ruleset",
                words: ["drops what comes back from fd99::1 port 80", "InReceives"]
            ) {
                try $0.upstream(ipv6: true)
                try $0.filterInput("ip6 saddr \(Upstream.address6) drop")
                $0.subject = "http://[\(Upstream.address6)]/"
            },
            Fault(
                "firewall drops answers to questions for names", "nft: `iifname \"up1\" drop` on input, and a name",
                at: .firewall, .nameServerFailed, "nft list ruleset", advice: "as root: nft list ruleset",
                words: ["drops what comes back from 10.1.0.1 port 53"]
            ) {
                try $0.named()
                try $0.filterInput("iifname up1 drop")
            },
            Fault(
                "firewall rejects everything", "nft: `meta l4proto tcp reject` on output", at: .firewall,
                .connectionRefused, "nft list ruleset", advice: "as root: nft list ruleset",
                words: ["no: the gateway 10.1.0.1 answers; 1.1.1.1, 8.8.8.8 and 9.9.9.9 do not"]
            ) {
                try $0.upstream().startInternet()
                try $0.client.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
                try $0.filterOutput("meta l4proto tcp reject")
            },
            Fault(
                "no local port left", "`ip_local_port_range` of two ports, both taken", at: .host, .overloaded,
                "ss -tan dst 10.99.0.1", advice: "ip_local_port_range",
                words: [
                    "no local port is left for another connection to 10.99.0.1 port 80", "40000-40001", "EADDRNOTAVAIL",
                ]
            ) {
                try $0.upstream()
                try takePorts($0, to: Upstream.address)
            },
            Fault(
                "no local port left for IPv6", "the same, and `http://[fd99::1]/`", at: .host, .overloaded,
                "ss -tan dst '[fd99::1]'", advice: "ip_local_port_range",
                words: ["no local port is left for another connection to fd99::1 port 80", "EADDRNOTAVAIL"]
            ) {
                try $0.upstream(ipv6: true)
                try takePorts($0, to: Upstream.address6)
                $0.subject = "http://[\(Upstream.address6)]/"
            },
            Fault(
                "no local port left for a question", "the same, both bound by UDP, and a name", at: .host, .overloaded,
                "ss -uan", advice: "ip_local_port_range",
                words: ["no local port is left for another question to 10.1.0.1 port 53", "40000-40001", "EAGAIN"]
            ) {
                try $0.named()
                try $0.client.run("sysctl", "-qw", "net.ipv4.ip_local_port_range=40000 40001")
                try $0.python(
                    """
                    import socket, time
                    kept = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
                    for number, one in enumerate(kept): one.bind(("0.0.0.0", 40000 + number))
                    print("ready")
                    time.sleep(600)
                    """, in: $0.client)
            },
            Fault(
                "address in /etc/hosts that is not the host's", "`10.1.0.77 check.test` in its third line", at: .names,
                .connectTimeout, "getent ahosts check.test", advice: "correct line 3 of /etc/hosts",
                words: [
                    "check.test is 10.1.0.77 by line 3 of /etc/hosts",
                    "the name server 10.1.0.1 says fd99::1, 10.99.0.1",
                ]
            ) {
                try $0.named()
                try $0.client.ip("neigh add 10.1.0.77 lladdr 02:00:00:00:00:77 dev up1")
                $0.hosts += "# ours\n10.1.0.77 check.test\n"
            },
            Fault(
                "host of /etc/hosts that is off", "the same for a name that no name server knows", at: .neighbour,
                .unreachable, "ip neigh show 10.1.0.77 dev up1", advice: "is it on",
                words: ["box.test is 10.1.0.77 by line 2 of /etc/hosts", "(fault: the far end)"]
            ) {
                try $0.named("http://box.test/")
                $0.hosts += "10.1.0.77 box.test\n"
            },
            Fault(
                "host of /etc/hosts beyond the gateway that is off", "the same beyond the gateway", at: .connection,
                .connectTimeout, "curl -sv -m 3 --interface 'if!up1' http://box.test/", advice: "the host is down",
                words: [
                    "nothing comes back from 10.99.0.1 port 80 (fault: the far end)",
                    "box.test is 10.99.0.1 by line 2 of /etc/hosts",
                ]
            ) {
                let upstream = try $0.named("http://box.test/")
                try upstream.startInternet()
                try upstream.dropAll()
                $0.hosts += "10.99.0.1 box.test\n"
            },
            Fault(
                "name blocked in /etc/hosts", "`0.0.0.0 check.test` in its second line", at: .names, .nameHijacked,
                "getent ahosts check.test", advice: "remove line 2 of /etc/hosts",
                words: ["check.test is 0.0.0.0 by line 2 of /etc/hosts, which means no host (fault: this host)"]
            ) {
                try $0.named()
                $0.hosts += "0.0.0.0 check.test\n"
            },
        ]

    /// Leaves two local ports, and takes both for connections to a host.
    private static func takePorts(_ world: FaultWorld, to host: String) throws {
        try world.client.run("sysctl", "-qw", "net.ipv4.ip_local_port_range=40000 40001")
        try world.python(
            """
            import socket, time
            kept = []
            try:
                while True: kept.append(socket.create_connection(("\(host)", 80)))
            except OSError:
                print("ready")
            time.sleep(600)
            """, in: world.client)
    }

    private static func userRule(_ type: String, named: Bool = false) -> Fault {
        Fault(
            "rule of the type \(type) for a user" + (named ? ", and a name" : ""),
            "`ip rule add … uidrange 0-65534 type \(type)`" + (named ? ", and a name asked for" : ""), at: .rule,
            .noRoute, "ip -4 rule", advice: "ip rule del priority 77, or run it as another user",
            words: [
                "the rule 77 (uidrange 0-65534) rejects all that this user sends as \(type)",
                "this program runs as uid",
                "(fault: this host's routing)",
            ]
        ) {
            try $0.upstream()
            if named { $0.subject = "http://check.test/" }
            try $0.client.ip("rule add priority 77 uidrange 0-65534 type \(type)")
        }
    }

    private static func rejection(_ verdict: String) -> Fault {
        Fault(
            "firewall rejects: \(verdict)", "nft: `tcp dport 80 \(verdict)` on output", at: .firewall,
            .connectionRefused, "nft list ruleset", advice: "as root: nft list ruleset",
            words: [
                "this host's own firewall rejects connections to 10.99.0.1 port 80", "over the loopback",
                "yes: ", "1.1.1.1 answers",
            ]
        ) {
            try $0.upstream().startInternet()
            try $0.filterOutput("tcp dport 80 \(verdict)")
        }
    }
}
